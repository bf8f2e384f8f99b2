export const articles = {
  title: "请先阅读",
  article: "文章",
  continue: "已阅读，继续",
  by: "作者：{{author}}",
  more: "查看详情",
};
