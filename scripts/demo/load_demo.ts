import { readFileSync } from "node:fs";
import type postgres from "postgres";
import type { DemoUser } from "../ground/state.ts";
import { adminEmail, type DemoAuth, listAccounts, signUpAccounts } from "./accounts.ts";
import { accountMembers, addressesOf, addressOf, type DemoMember, makeMembers } from "./company.ts";
import { dayCount, makeMonth } from "./month.ts";
import { requests } from "./requests.ts";
import { Random } from "./random.ts";
import { picturesOf } from "./pictures.ts";
import { banner, categories, featured, makeProducts, stocks } from "./shop.ts";
import { openConnection } from "../ground/open_connection.ts";

/** Reports progress. */
export type ShowProgress = (done: number, total: number, label: string) => void;

const seed = 20261120;
const founders = 5;

async function makeShop(sql: postgres.Sql, random: Random, address: string): Promise<void> {
  const products = makeProducts(random).map((product, index) => ({
    ...product,
    index,
    images: product.images.map((image) => `${address}${image}`),
  }));
  // The list of products begins with the newest, which are thus the queue goods.
  await sql`insert into app.product_categories ${sql(categories.map((title, at) => ({ title, rank: at + 1 })))}`;
  for (const { index, category, ...product } of products.reverse()) {
    await sql`with added as (insert into app.products ${sql(product)} returning id) insert into demo_products select ${index}, id from added`;
    await sql`
      update app.products set category_id = (select c.id from app.product_categories as c where c.title = ${category})
      where id = (select d.id from demo_products as d where d.index = ${index})`;
  }
  await sql`
    insert into app.banners (rank, image, title, product_id)
    select 1, ${`${address}${picturesOf(banner.thing, banner.hue, 2)[1]!}`}, ${banner.title}, d.id from demo_products as d where d.index = ${banner.index}`;
  await sql`
    insert into app.featured_products (rank, product_id)
    select f.rank, d.id from unnest(${featured}::integer[]) with ordinality as f (index, rank) join demo_products as d on d.index = f.index`;
  const [reading] = await sql<{ id: string }[]>`
    insert into app.article_categories (title, is_sign_in_ad) values ('登录阅读 Sign-in reading', true) returning id`;
  const titles = [
    "新人必读：会员权益一览",
    "旗舰礼包怎么选",
    "三分钟看懂循环佣金",
    "冻结积分如何每日释放",
    "分享海报使用指南",
  ];
  await sql`insert into app.articles ${sql(
    titles.map((title) => ({
      cid: reading!.id,
      title,
      author: "商城小编",
      synopsis: title,
      content: `<p>${title}。详情请咨询您的推荐人或在线客服。</p>`,
    })),
  )}`;
}

async function signUpAll(sql: postgres.Sql, members: DemoMember[], from: number, to: number, at: Date): Promise<void> {
  const batch = members.slice(from, to).map(({ nickname, parent }, offset) => ({
    index: from + offset,
    nickname,
    parent,
    address: addressOf(nickname, from + offset),
  }));
  if (batch.length > 0) await sql`select pg_temp.sign_up(${sql.json(batch)}, ${at})`;
}

/** Creates the founders, then the accounts through the Auth server, then all members who joined before the month. */
async function foundCompany(sql: postgres.Sql, members: DemoMember[], stack: DemoAuth, start: Date): Promise<number> {
  const before = new Date(start.getTime() - 86_400_000);
  await signUpAll(sql, members, 0, founders, before);
  const uids = new Map(
    (await sql`select index, uid from demo_members`).map((row) => [Number(row.index), Number(row.uid)]),
  );
  await signUpAccounts(sql, stack, uids);
  const accounts = [...uids].slice(founders).map(([index, uid]) => ({ index, uid }));
  await sql`insert into demo_members ${sql(accounts)}`;
  await sql`
    update app.users set add_time = ${before}, spread_time = ${before} where uid in ${sql(accounts.map(({ uid }) => uid))}`;
  for (const [position, account] of accountMembers.entries()) {
    for (const [place, address] of addressesOf(account).entries()) {
      await sql`insert into app.addresses (uid, address, is_default) values (${accounts[position]!.uid}, ${sql.json(address)}, ${place === 0})`;
    }
  }
  const joined = members.findIndex((member) => member.day >= 0);
  await signUpAll(sql, members, founders + accountMembers.length, joined, before);
  return joined;
}

/**
 * Fills an empty store with a company of 2,000 members, 30 business days of activity and a morning's work of its
 * administrators, through the functions that the service itself calls. The data are the same on every run, except for
 * the dates. A database that already has members is not changed.
 * @returns the accounts that can sign in
 */
export async function loadDemo(
  databaseUrl: string,
  stack: DemoAuth,
  progress: ShowProgress,
): Promise<{ users: DemoUser[] }> {
  // One connection, because the temporary functions and tables belong to its session.
  const sql = openConnection(databaseUrl, { max: 1, idle_timeout: 0, max_lifetime: null });
  try {
    // Some servers limit every statement to seconds. The demo month is written in long ones.
    await sql`set statement_timeout = 0`;
    const [members] = await sql`select exists (select from app.users) as exist`;
    if (members?.exist) return { users: await listAccounts(sql) };
    for (const file of ["play.sql", "office.sql"])
      await sql.unsafe(readFileSync(new URL(file, import.meta.url), "utf8"));
    await play(sql, stack, progress);
    return { users: await listAccounts(sql) };
  } finally {
    await sql.end();
  }
}

async function play(sql: postgres.Sql, stack: DemoAuth, progress: ShowProgress): Promise<void> {
  const random = new Random(seed);
  const members = makeMembers(random);
  const days = makeMonth(random, members, requests);
  const [today] = await sql<{ day: string; start: Date }[]>`
    select app.business_day(now())::text as day,
      (app.business_day(now()) - ${dayCount}::integer)::timestamp at time zone s.time_zone as start
    from app.settings as s`;
  const { day: lastDay, start } = today!;
  const timeOf = (day: number) => new Date(start.getTime() + day * 86_400_000);

  await sql`call app.ensure_month_partitions((${lastDay}::date - ${dayCount + 1}::integer), ${lastDay}::date)`;
  await makeShop(sql, random, stack.supabaseUrl);
  progress(0, dayCount, "the company before the month");
  let joined = await foundCompany(sql, members, stack, start);
  for (const [day, actions] of days.entries()) {
    progress(day, dayCount, `day ${day + 1}: ${actions.length} events`);
    // The release of a business day runs one minute after its midnight.
    if (day > 0) await sql`call app.release_frozen_points(null, ${new Date(timeOf(day).getTime() + 60_000)})`;
    const next = members.findIndex((member) => member.day > day);
    const joinedToday = next === -1 ? members.length : next;
    await signUpAll(sql, members, joined, joinedToday, timeOf(day));
    joined = joinedToday;
    await sql`select pg_temp.play(${sql.json(actions)}, ${start})`;
  }
  for (const { index, stock } of stocks)
    await sql`update app.products set stock = ${stock} where id = (select d.id from demo_products as d where d.index = ${index})`;
  await sql`select pg_temp.date_referrals()`;
  await sql`select pg_temp.work_in_the_office(${adminEmail})`;
  await sql`call app.sum_team_totals()`;
  await sql.unsafe("analyze");
  await sql`call app.record_reconcile()`;
  await sql`select pg_temp.close_last_month(${adminEmail})`;
  progress(dayCount, dayCount, "done");
}
