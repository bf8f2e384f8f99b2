/** What replaces a text that an administrator wrote about a member whose account was deleted (`app.forgotten_text`). */
export const forgottenText = "Deleted member";

/** The reasons that the store itself writes, by their English text. A test verifies that none is missing. */
export const storeReasons = new Map(
  Object.entries({
    "Given up with the deletion of the account": "注销账号时放弃",
    "Earned after the deletion of the account, until the update to 2.0.0": "注销账号后至升级 2.0.0 前所得，视同放弃",
    "Came back after the deletion of the account": "注销账号后退回的余额，视同放弃",
    "A refund takes back what was given up with the account": "退款冲回，先从注销时放弃的余额中扣减",
    [forgottenText]: "会员已注销，原文已删除",
  }),
);
