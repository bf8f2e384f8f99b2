/** Fields of every document: addresses and keys, errors, headers, cursors and files. */
export const CHINESE_COMMON_FIELDS: Record<string, string> = {
  "An error. `code` says which.": "错误，具体见 `code`。",
  "Too many requests, or too many of a kind.": "请求过多，或同类请求过多。",
  "The functions of a project, local or in production.": "项目的函数，本地或生产环境。",
  "Access token of Supabase Auth, whose algorithm, issuer and times are verified as RFC8725 demands.":
    "Supabase Auth 的访问令牌，其算法、签发者与时间按 RFC8725 的要求验证。",
  "A machine key, which an owner makes on the page Machine keys of the console. Each operation that one may call names the scope that it needs.":
    "机器密钥，由所有者在管理后台的“机器密钥”页面新建。可用机器密钥调用的接口均注明所需的权限。",
  "The token of STORE_METRICS_TOKEN.": "STORE_METRICS_TOKEN 的令牌。",
  Success: "成功",
  "Unchanged: the reader has the response with this ETag.": "未变化：调用方持有的即为此 ETag 的响应。",
  "In English or Chinese, depending on Accept-Language.": "中文或英文，取决于 Accept-Language。",
  "What is wrong, or what to do next. In the language of the title.": "错误原因或处理办法，语言与 title 相同。",
  "The stable error code. Base error handling on it.": "稳定的错误代码，请据此处理错误。",
  "JSON Pointer to the field.": "指向该字段的 JSON Pointer。",
  "A unique key for this write, such as a UUID. A repeated request with the same key gets the same response for a day and has no second effect. The key of a failed request can be used again.":
    "此次写入的唯一键，例如 UUID。一天内以相同的键重复请求，将得到相同的响应，不会再次生效。请求失败后，其键可再次使用。",
  "The greatest value of this header in earlier responses. The response is then not older than those. Without it, the response may be some seconds old, if the store has a standby. An unknown value costs nothing but speed.":
    "此前各响应中该请求头的最大值。响应将不早于这些响应。不提供时，若商城有备库，响应可能滞后数秒。无法识别的值只影响速度。",
  "If the store has a standby: the position of its log after the request. Send the greatest one, as text, with later requests.":
    "商城有备库时，为请求完成后的日志位置。之后的请求请以文本形式附带其中最大的值。",
  "The seconds after which a retry may succeed.": "多少秒后重试可能成功。",
  "Send it as If-None-Match: an unchanged response is a 304.": "请以 If-None-Match 发送：内容未变化时响应为 304。",
  "next_cursor of the previous page.": "上一页的 next_cursor。",
  "next_cursor of the previous page, with the same depth, keyword, sort and one_order_away.":
    "上一页的 next_cursor；depth、keyword、sort 与 one_order_away 须相同。",
  "Null at the end. A page before the end may be shorter than `limit`, or empty.":
    "最后一页为 null。此前的页可能少于 `limit`，也可能为空。",
  "A leading - sorts descending.": "以 - 开头为降序。",
  "At or after this time.": "不早于此时间。",
  "Before this time.": "早于此时间。",
  "The present month if absent.": "不提供时为本月。",
  "The present year if absent.": "不提供时为本年。",
  "The first business day.": "第一个营业日。",
  "The last business day. By default, today.": "最后一个营业日，默认为今天。",
  "Only what waits for the caller (GET /adminapi/waiting).": "仅待当前管理员处理的（GET /adminapi/waiting）。",
  "As in the list of orders.": "同订单列表。",
  "uid, or a part of the nickname.": "uid，或昵称的一部分。",
  "Newest first.": "最新的在前。",
  "Oldest first. Months without payouts are absent.": "最早的在前，不含没有付款的月份。",
  "Oldest first.": "最早的在前。",
  "An empty one removes it.": "空值表示移除。",
  "Masked.": "已脱敏。",
  "Of the first page of the list.": "列表第一页的值。",
  "A row of a table for each record. If an error occurs after the first records, the connection ends without the end of the response.":
    "每条记录为某个表的一行。若在发送首批记录之后出错，连接会在响应完成前中断。",
  "UTF-8 with a byte order mark, lines oldest first. The header is in English or Chinese, depending on Accept-Language. Times are in the store's time zone and have their offset from UTC, for example `2026-11-01 00:00:00+08:00`. If an error occurs after the first lines, the connection ends without the end of the response.":
    "UTF-8，带字节顺序标记，最早的行在前。表头按 Accept-Language 为中文或英文。时间为商城时区，带有与 UTC 的偏移量，例如 `2026-11-01 00:00:00+08:00`。若在发送首批行之后出错，连接会在响应完成前中断。",
  "The lines of the CSV file. Amounts, points and rates are numbers, all other cells are text. If an error occurs after the first lines, or there are more lines than a sheet has, which is 1,048,575, the connection ends without the end of the response.":
    "与 CSV 文件相同的行。金额、积分与比例为数字，其他单元格均为文本。若在发送首批行之后出错，或行数超过工作表上限 1,048,575 行，连接会在响应完成前中断。",
};
