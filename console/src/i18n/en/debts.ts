/** Members who owe commission. */
export const debts = {
  title: "Debts",
  about: "Members who were paid more commission than refunds left them. Their next commission repays the debt, and they cannot withdraw anything until then.",
  debt: "Debt",
  balance: "Balance",
  maturing: "Of this, maturing",
  open: "Open withdrawal",
  show: "Review",
  total: "{{total}} in all",
  empty: "Nobody owes anything.",
};
