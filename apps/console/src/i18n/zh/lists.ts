import type { Translated } from "../en/index.ts";
import type { lists as texts } from "../en/lists.ts";

export const lists: Translated<typeof texts> = {
  selection: {
    select: "选择",
    selected: "已选 {{count, count}} 条",
    page: "全选本页",
    clear: "取消选择",
  },
  move: { up: "上移{{title}}", down: "下移{{title}}" },
  views: {
    button: "已存视图",
    none: "此列表还没有保存的视图。",
    name: "将当前筛选条件保存为",
    noFilters: "设置筛选条件后可保存为视图。",
    newName: "“{{name}}”的新名称",
    rename: "重命名“{{name}}”",
    delete: "删除“{{name}}”",
  },
  days: {
    all: "全部日期",
    since: "{{day}}起",
    until: "截至{{day}}",
    from: "开始日期",
    to: "结束日期",
    reversed: "结束日期早于开始日期。",
    presets: "常用日期",
    ranges: {
      today: "今天",
      yesterday: "昨天",
      last7: "最近 7 天",
      last30: "最近 30 天",
      thisMonth: "本月",
      lastMonth: "上月",
      thisYear: "今年",
      sinceLastMonth: "上月 1 日起",
    },
  },
};
