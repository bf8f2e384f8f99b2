/** Texts of the parts that all lists have. */
export const lists = {
  selection: {
    select: "Select",
    selected: "{{count, count}} selected",
    page: "Select this page",
    clear: "Clear the selection",
  },
  move: { up: "Move {{title}} up", down: "Move {{title}} down" },
  views: {
    button: "Saved views",
    none: "No view of this list is saved.",
    name: "Save the present filters as",
    noFilters: "Set filters to save them as a view.",
    newName: "New name of {{name}}",
    rename: "Rename {{name}}",
    delete: "Delete {{name}}",
  },
  days: {
    all: "All days",
    since: "Since {{day}}",
    until: "Until {{day}}",
    from: "First day",
    to: "Last day",
    reversed: "The last day is before the first.",
    presets: "Frequent periods",
    ranges: {
      today: "Today",
      yesterday: "Yesterday",
      last7: "Last 7 days",
      last30: "Last 30 days",
      thisMonth: "This month",
      lastMonth: "Last month",
      thisYear: "This year",
      sinceLastMonth: "Since last month",
    },
  },
};
