/** Members whose level is higher than their orders allow today. */
export const review = {
  title: "Level review",
  about: "Members who would not reach their level today, after refunds. Levels do not fall by themselves: set the level on the page of the member if it should fall.",
  reached: "Would reach",
  missing: "Missing",
  missingTask: "Grade {{grade}}: {{task}}, {{current}} of {{target}}",
  held: "held",
  unknown: "Unknown",
  notCounted: "Too many members are below to count them here.",
  empty: "Every member would reach their level today.",
  emptyPage: "Nobody on this page. Continue with the next page.",
  first: "First page",
  next: "Next page",
};
