import { documentWords } from "../../../../../functions/_shared/words/document_words.ts";
import { wordsIn } from "../../../../../functions/_shared/words/words.ts";

export const real_names = {
  title: "实名信息",
  about: "提现金额达到设置中的数额时要求会员提交，加密保存。",
  states: { none: "未提交", given: "已提交，未核验", checked: "已核验", refused: "已退回" },
  documents: wordsIn("zh", documentWords),
  name: "姓名",
  document: "证件类型",
  number: "证件号码",
  givenAt: "提交时间",
  decidedAt: "核验时间",
  decidedBy: "核验人",
  provider: "服务商",
  reason: "原因",
  show: "查看",
  recorded: "本次查看已写入操作记录。",
  check: {
    open: "登记为已核验",
    title: "确认实名信息已核验？",
    meaning: "登记后，该会员提现不再受实名限制；退回之前，会员不能修改实名信息。",
    done: "已登记。",
  },
  refuse: {
    open: "退回",
    title: "退回该实名信息？",
    meaning: "提现金额达到设置中的数额时，会员须重新提交实名信息。已申请的提现不受影响。",
    reason: "原因（会员可见）",
    done: "已退回该实名信息。",
  },
};
