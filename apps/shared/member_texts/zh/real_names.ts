import { documentWords } from "../../../../functions/_shared/words/document_words.ts";
import { wordsIn } from "../../../../functions/_shared/words/words.ts";

export const real_names = {
  title: "实名信息",
  why: "该金额的提现需要先完成实名。信息加密保存，商城人员每次查看都有记录。",
  documents: wordsIn("zh", documentWords),
  document: "证件类型",
  name: "姓名",
  nameHint: "与证件上的姓名一致。",
  number: "证件号码",
  save: "提交",
  saved: "实名信息已提交。",
  stored: "{{name}}，{{document}} {{number}}",
  checked: "实名信息已核验。",
  refused: "实名信息未通过核验，请按证件内容重新提交。",
  needed: {
    none: "提现金额达到 {{amount}} 时，须先完成实名。",
    given: "提现金额达到 {{amount}} 时，须先通过实名核验，目前正在核验。",
    refused: "提现金额达到 {{amount}} 时，须先完成实名；上次提交的信息未通过核验。",
    give: "提交实名信息",
  },
};
