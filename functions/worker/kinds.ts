import { closeExpiredPayment } from "./close_payment.ts";
import { sendMemberMail } from "./member_mail.ts";
import { sendMemberWechat } from "./member_wechat.ts";
import { sendNotice } from "./notice.ts";
import { checkPicture } from "./picture_check.ts";
import { queryOpenPayment } from "./query_payment.ts";
import { checkRealName } from "./real_name_check.ts";
import { refundPayment } from "./refund_payment.ts";
import { removePicture } from "./remove_picture.ts";
import { sealMonths } from "./seal_month.ts";
import { checkText } from "./text_check.ts";
import { transferToMember } from "./transfer.ts";
import { uploadShipping } from "./upload_shipping.ts";
import type { Work } from "./work.ts";

/** The kinds of rows of the outbox. */
export const KINDS: Readonly<Record<string, Work>> = {
  close_payment: closeExpiredPayment,
  member_mail: sendMemberMail,
  member_wechat: sendMemberWechat,
  notice: sendNotice,
  picture_check: checkPicture,
  query_payment: queryOpenPayment,
  real_name_check: checkRealName,
  refund_payment: refundPayment,
  remove_picture: removePicture,
  seal_month: sealMonths,
  text_check: checkText,
  transfer: transferToMember,
  upload_shipping: uploadShipping,
};
