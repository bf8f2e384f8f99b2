import type { GetPromptResult, Prompt } from "@modelcontextprotocol/sdk/types.js";
import { protocolError } from "./protocol_error.ts";

const order = { name: "order", description: "The id or the number of the order", required: true };
const member = { name: "member", description: "The uid of the member", required: true };
const month = { name: "month", description: "The month, such as 2026-10", required: true };

/** What people usually ask, and what an assistant then does. Braces name arguments. */
const questions: (Prompt & { text: string })[] = [
  {
    name: "why_was_it_paid",
    title: "Why was this order paid to these members?",
    description: "Explains an order: who earned what, at which place of a cycle, and by which rule.",
    arguments: [order],
    text: "Explain the order {order}: find it with find_orders if this is no id, and read explain_order. Say who earned how much commission and which points, at which place of whose cycle, and by which rule of which version of the plan. Quote amounts as they are, and do not compute what the tool states.",
  },
  {
    name: "why_did_nobody_earn",
    title: "Why did nobody earn by this order?",
    description: "Explains why an order paid no commission, or why a member got nothing.",
    arguments: [order],
    text: "Find out why the order {order} paid no commission: read get_order for its state and its goods, and explain_order for the reason of the store. If it is not settled, look at list_settlement_jobs. Say the reason in one sentence, then what led to it.",
  },
  {
    name: "member_overview",
    title: "How does this member stand?",
    description: "Balance, level, cycle, team and the last entries of a member.",
    arguments: [member],
    text: "Describe the member {member}: read get_member, get_member_upline, get_member_team and the last rows of get_member_bill. Say level, missing tasks, the state of the cycle, what is available, frozen and withdrawn, and whatever is unusual.",
  },
  {
    name: "what_would_a_refund_reverse",
    title: "What would a refund of this order reverse?",
    description: "Previews a refund, which changes nothing.",
    arguments: [order],
    text: "Read get_order and then preview_refund for the order {order}, of all units that are left. Say what the buyer gets, from whom which commission and points are taken back, and who would be in debt.",
  },
  {
    name: "close_the_month",
    title: "Is the month ready to be closed?",
    description: "Checks what is to be done before a month is closed, which a person does in the console.",
    arguments: [month],
    text: "Check whether the month {month} can be closed: read list_months, check_books, list_settlement_jobs, list_withdrawals with those that wait, list_adjustments with those that wait, and get_liabilities. List what is open, each with what a person does about it in the console, and then the sums of the month. Close nothing: no tool does.",
  },
  {
    name: "what_do_we_owe",
    title: "What does the store owe its members?",
    description: "Liabilities of today, what is released next, and debts.",
    text: "Read get_liabilities, forecast_release and list_debts. Say what the store owes now and later, in which parts, and which members owe the store.",
  },
];

/**
 * The prompts whose tools a caller may use. A text names tools as they are: two words or more, joined by underscores.
 */
export function promptsOf(tools: readonly string[]): Prompt[] {
  return questions
    .filter(({ text }) => text.match(/\b[a-z]+(?:_[a-z]+)+\b/g)!.every((name) => tools.includes(name)))
    .map(({ text: _, ...prompt }) => prompt);
}

/**
 * The message that a prompt stands for.
 * @throws an error of the protocol for an unknown prompt or a missing argument
 */
export function promptOf(name: string, given: Record<string, string>): GetPromptResult {
  const question = questions.find((each) => each.name === name);
  if (question === undefined) throw protocolError(`There is no prompt ${name.slice(0, 64)}.`);
  const text = question.text.replaceAll(/{(\w+)}/g, (_, argument: string) => {
    const value = given[argument];
    if (value === undefined || !/^[\w-]{1,64}$/.test(value))
      throw protocolError(`The argument ${argument} is a number or a short word.`);
    return value;
  });
  return { description: question.description, messages: [{ role: "user", content: { type: "text", text } }] };
}
