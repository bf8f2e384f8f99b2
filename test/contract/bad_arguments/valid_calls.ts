/** The uids, order ids and accounts of the fixture, by name. */
export type Ids = Record<string, string>;

export interface ValidCall {
  /** The caller of a function in schema `api`. Functions in schema `app` are called by their owner. */
  by?: "visitor" | "buyer" | "seller" | "admin" | "newcomer" | "payee_4" | "service";
  args: Record<string, unknown>;
  /** Set if a valid call fails because the test database has no pg_cron. */
  needsScheduler?: true;
}

const NOW = "2026-11-20T04:00:00Z";
const IN_A_YEAR = new Date(Date.now() + 365 * 86_400_000).toISOString();
const PLAN = {
  people_per_cycle: 2, tier_ratios: [0.1, 0.2], brokerage_scope: "umbrella", brokerage_timing: "confirm", points_per_brokerage: 2,
  max_depth: 10, payout_cap: 0.5, minimum_base: 1,
};
const LEVELS = [
  { grade: 0, name: "Member", name_zh: "普通会员", direct_points: 0, umbrella_points: 0, is_active: true, tasks: {} },
  { grade: 1, name: "Maker", name_zh: "创客", direct_points: 500, umbrella_points: 0, is_active: true, tasks: { direct_orders: 3 } },
];

const PRODUCT = { p_title: "Tea", p_price: 99.9, p_freight: 8, p_is_queue_goods: false, p_is_show: true, p_images: ["https://example.com/a.png"], p_description: "Green", p_stock: 100 };
const ADDRESS = { name: "Lin", phone: "13800000000", region: ["Guangdong"], street: "Road 1" };
const ARTICLE = {
  p_title: "Welcome", p_author: "Store", p_image_input: "https://example.com/a.png", p_synopsis: "Read this first", p_content: "Long text",
  p_url: "https://example.com/a", p_status: 1, p_hidden: 0,
};

/**
 * A successful call for every function in schema `api`, and for the functions in schema `app` that tools call. The tests replace each
 * argument by bad values.
 */
export function validCalls(id: Ids): Record<string, ValidCall> {
  const refundLines = [{ line_id: Number(id.settled_line), quantity: 1 }];
  const items = [{ product_id: Number(id.product), quantity: 2 }];
  return {
    "api.get_health": { by: "visitor", args: {} },
    "api.get_product": { by: "visitor", args: { p_id: id.product } },
    "api.get_products": { by: "visitor", args: { p_page: 1, p_limit: 20 } },
    "api.get_required_article": { by: "visitor", args: {} },
    "api.get_system_metadata": { by: "visitor", args: { p_version: "1.0.0", p_commit: "abc" } },
    "api.claim_drawing": { by: "service", args: { p_token: id.poster_token } },
    "api.get_poster_picture": { by: "service", args: { p_token: id.poster_token } },
    "api.open_wechat_sign_in": { by: "service", args: { p_appid: "wx1", p_openid: "openid 1", p_unionid: "unionid 1" } },
    "api.get_shipping_notice": { by: "service", args: { p_order_id: id.shipped_by_wechat } },
    "api.record_shipping_notice": { by: "service", args: { p_order_id: id.delivered } },
    "api.close_wechat_sign_in": { by: "service", args: { p_sign_in: "00000000-0000-4000-8000-000000000000", p_spread_uid: id.seller } },
    "api.set_phone": { by: "service", args: { p_uid: id.buyer, p_phone: "8613800000000" } },
    "api.get_wechat_token": { by: "service", args: { p_appid: "wx1" } },
    "api.record_payment_notification": {
      by: "service",
      args: {
        p_provider: "wechat", p_event_id: "event 1", p_kind: "paid", p_fault: null, p_order_no: "unknown", p_pay_ref: "payment 1",
        p_amount_minor: 360000, p_currency: "CNY",
      },
    },
    "api.claim_payment_query": { by: "service", args: { p_attempt_no: id.attempt_no } },
    "api.get_metrics": { by: "service", args: {} },
    "api.lease_outbox": { by: "service", args: { p_limit: 10 } },
    "api.open_payment": { by: "service", args: { p_order_id: id.unpaid, p_provider: "wechat", p_method: "jsapi", p_openid: "openid-1" } },
    "api.postpone_outbox": { by: "service", args: { p_id: id.outbox, p_attempt: 0, p_problem: "no response" } },
    "api.record_attempt_state": {
      by: "service",
      args: { p_attempt_no: id.attempt_no, p_state: "paid", p_pay_ref: "payment 1", p_amount_minor: 1080000, p_currency: "CNY", p_close_accepted: false },
    },
    "api.record_payment_start": { by: "service", args: { p_attempt_no: id.attempt_no, p_refusal: "payer_unknown" } },
    "api.record_refund_notification": {
      by: "service",
      args: {
        p_provider: "wechat", p_event_id: "event 1", p_payment_no: "unknown", p_pay_ref: "payment 1", p_amount_minor: 360000, p_refund_no: "unknown",
        p_state: "succeeded", p_provider_ref: "refund 1", p_reason: null,
      },
    },
    "api.begin_transfer": { by: "service", args: { p_withdrawal_no: id.withdrawal_no, p_mchid: "1900000001" } },
    "api.record_transfer_state": {
      by: "service",
      args: { p_withdrawal_no: id.withdrawal_no, p_state: "confirming", p_provider_ref: "transfer 1", p_reason: null, p_package_info: "opens the page" },
    },
    "api.record_transfer_notification": {
      by: "service",
      args: {
        p_provider: "wechat", p_event_id: "event 1", p_withdrawal_no: id.withdrawal_no, p_openid: "openid of payee_4", p_amount_minor: 10000, p_state: "failed",
        p_provider_ref: "transfer 1", p_reason: "OVERDUE_CLOSE",
      },
    },
    "api.record_refund_state": { by: "service", args: { p_refund_no: id.refund_no, p_state: "succeeded", p_provider_ref: "refund 1", p_reason: null } },
    "api.record_unverified_notification": { by: "service", args: { p_provider: "wechat", p_reason: "bad_signature" } },
    "api.report_clock": { by: "service", args: { p_clock: NOW } },
    "api.report_function_settings": {
      by: "service",
      args: { p_project_url: "https://abc.supabase.co", p_functions_url: "https://abc.supabase.co/functions/v1", p_variables: ["STORE_WORKER_SECRET"] },
    },
    "api.run_settlement_jobs": { by: "service", args: { p_limit: 10 } },
    "api.save_poster": { by: "service", args: { p_uid: id.buyer, p_template: "template 2", p_code_source: "wx1", p_code: "iVBORw==" } },
    "api.save_poster_picture": { by: "service", args: { p_token: id.poster_token, p_image: "iVBORw==" } },
    "api.save_wechat_token": { by: "service", args: { p_appid: "wx1", p_access_token: "token", p_expires_in: 7200 } },

    "api.bind_spread": { by: "newcomer", args: { p_spread_uid: id.seller } },
    "api.cancel_order": { by: "buyer", args: { p_order_id: id.unpaid } },
    "api.confirm_receipt": { by: "buyer", args: { p_order_id: id.delivered } },
    "api.create_address": { by: "buyer", args: { p_address: ADDRESS, p_is_default: true } },
    "api.create_order": { by: "buyer", args: { p_items: items, p_address: ADDRESS, p_remark: "Ring twice", p_expected_price: null, p_use_points: 1 } },
    "api.delete_address": { by: "buyer", args: { p_id: id.address } },
    "api.get_addresses": { by: "buyer", args: {} },
    "api.get_own_level": { by: "buyer", args: {} },
    "api.get_points_forecast": { by: "buyer", args: {} },
    "api.preview_order": { by: "buyer", args: { p_items: items, p_use_points: 1 } },
    "api.set_address": { by: "buyer", args: { p_id: id.address, p_address: ADDRESS, p_is_default: false } },
    "api.set_me": { by: "buyer", args: { p_nickname: "Lin", p_avatar: "https://wx.qlogo.cn/a/132" } },
    "api.get_assets_overview": { by: "buyer", args: {} },
    "api.get_bill": { by: "buyer", args: { p_type: "brokerage", p_from: NOW, p_to: NOW, p_page: 1, p_limit: 20, p_cursor: "2026-11-20T04:00:00.000000Z_1" } },
    "api.get_brokerage_progress": { by: "buyer", args: {} },
    "api.get_me": { by: "buyer", args: {} },
    "api.get_order": { by: "buyer", args: { p_id: id.unpaid } },
    "api.get_orders": { by: "buyer", args: { p_state: "paid", p_page: 1, p_limit: 20 } },
    "api.get_poster": { by: "buyer", args: { p_template: "template 1", p_code_source: null } },
    "api.get_payment": { by: "buyer", args: { p_order_id: id.unpaid } },
    "api.get_team_orders": { by: "seller", args: { p_cursor: "2026-11-20T04:00:00.000000Z_1", p_limit: 20 } },
    "api.get_team_people": { by: "seller", args: { p_depth: "direct", p_keyword: "buy", p_sort: "-orders", p_cursor: "10001__31", p_limit: 20 } },
    "api.get_team_summary": { by: "seller", args: {} },
    "api.get_refunds": { by: "buyer", args: { p_order_id: id.settled } },
    "api.request_refund": { by: "buyer", args: { p_order_id: id.settled, p_lines: refundLines, p_reason: "too big" } },

    "api.create_account": { by: "buyer", args: { p_method: "bank", p_holder: "Lin Wei", p_account_no: "6222 0212 3456 7894", p_bank: "ICBC" } },
    "api.create_withdrawal": { by: "buyer", args: { p_amount: 100, p_method: "wechat", p_account_id: null, p_payee_name: "Lin Wei" } },
    "api.delete_account": { by: "buyer", args: { p_id: id.account } },
    "api.get_accounts": { by: "buyer", args: {} },
    "api.get_withdrawal_terms": { by: "buyer", args: { p_amount: 100 } },
    "api.get_withdrawal": { by: "payee_4", args: { p_id: id.transfer } },
    "api.get_withdrawals": { by: "buyer", args: { p_page: 1, p_limit: 20, p_cursor: "2026-11-20T04:00:00.000000Z_1" } },

    "api.admin_get_withdrawal": { by: "admin", args: { p_id: id.withdrawal } },
    "api.admin_get_withdrawals": { by: "admin", args: {
      p_state: "requested", p_method: "bank", p_uid: id.seller, p_batch_id: id.batch, p_from: NOW, p_to: NOW, p_page: 1, p_limit: 20,
      p_cursor: "2026-11-20T04:00:00.000000Z_1",
    } },
    "api.approve_withdrawal": { by: "admin", args: { p_id: id.withdrawal } },
    "api.approve_withdrawals": { by: "admin", args: { p_ids: [Number(id.withdrawal)] } },
    "api.cancel_transfer": { by: "admin", args: { p_id: id.transfer } },
    "api.create_withdrawal_batch": { by: "admin", args: { p_method: "bank", p_ids: [Number(id.approved_withdrawal)] } },
    "api.get_debts": { by: "admin", args: { p_page: 1, p_limit: 20 } },
    "api.get_withdrawal_batch_rows": { by: "admin", args: { p_id: id.batch, p_after: 0, p_limit: 10 } },
    "api.get_withdrawal_batches": { by: "admin", args: { p_page: 1, p_limit: 20 } },
    "api.mark_withdrawal_batch_paid": { by: "admin", args: { p_id: id.batch, p_payment_ref: "statement 7" } },
    "api.mark_withdrawal_failed": { by: "admin", args: { p_id: id.paying_withdrawal, p_reason: "The account is closed" } },
    "api.mark_withdrawal_paid": { by: "admin", args: { p_id: id.paying_withdrawal, p_payment_ref: "statement 7" } },
    "api.refuse_withdrawal": { by: "admin", args: { p_id: id.withdrawal, p_reason: "The name is wrong" } },

    "api.admin_get_orders": { by: "admin", args: {
      p_uid: id.buyer, p_state: "paid", p_refund_status: 0, p_order_no: "2026", p_from: NOW, p_to: NOW, p_page: 1, p_limit: 20,
      p_cursor: "2026-11-20T04:00:00.000000Z_1", p_search: "2026", p_waits: false,
    } },
    "api.admin_get_system_metadata": { by: "admin", args: { p_version: "1.0.0", p_runtime: "deno", p_commit: "abc" } },
    "api.export_member": { by: "admin", args: { p_uid: id.buyer } },
    "api.admin_get_user": { by: "admin", args: { p_uid: id.buyer } },
    "api.admin_get_users": { by: "admin", args: { p_search: "buyer", p_agent_level: 0, p_no_assess: false, p_spread_uid: id.seller, p_sort: "-uid", p_page: 1, p_limit: 20 } },
    "api.get_statement": { by: "buyer", args: { p_month: "2026-11" } },
    "api.get_statement_lines": { by: "buyer", args: { p_month: "2026-11", p_cursor: "2026-11-20T04:00:00.000000Z_1" } },
    "api.close_month": { by: "admin", args: { p_month: "2026-01" } },
    "api.export_bill": { by: "admin", args: { p_from: NOW, p_to: NOW, p_cursor: "2026-11-20T04:00:00.000000Z_1" } },
    "api.export_liabilities": { by: "admin", args: { p_cursor: "2026-11-20T04:00:00.000000Z_1" } },
    "api.export_withdrawals": { by: "admin", args: { p_from: NOW, p_to: NOW, p_cursor: "2026-11-20T04:00:00.000000Z_1" } },
    "api.get_liabilities": { by: "admin", args: {} },
    "api.get_months": { by: "admin", args: {} },
    "api.admin_get_statement": { by: "admin", args: { p_uid: id.buyer, p_month: "2026-11" } },
    "api.admin_get_statement_lines": { by: "admin", args: { p_uid: id.buyer, p_month: "2026-11", p_cursor: "2026-11-20T04:00:00.000000Z_1" } },
    "api.admin_get_bill": {
      by: "admin",
      args: { p_uid: id.seller, p_type: "brokerage", p_from: NOW, p_to: NOW, p_page: 1, p_limit: 20, p_cursor: "2026-11-20T04:00:00.000000Z_1" },
    },
    "api.get_level_changes": { by: "admin", args: { p_uid: id.seller, p_page: 1, p_limit: 20 } },
    "api.get_no_assess_changes": { by: "admin", args: { p_uid: id.seller, p_page: 1, p_limit: 20 } },
    "api.get_overview": { by: "admin", args: { p_days: 30 } },
    "api.get_places": { by: "admin", args: { p_uid: id.seller, p_page: 1, p_limit: 20 } },
    "api.get_upline": { by: "admin", args: { p_uid: id.buyer, p_page: 1, p_limit: 20 } },
    "api.admin_get_order": { by: "admin", args: { p_id: id.settled } },
    "api.admin_get_product": { by: "admin", args: { p_id: id.product } },
    "api.admin_get_products": { by: "admin", args: { p_search: "flag", p_is_show: true, p_is_queue_goods: true, p_page: 1, p_limit: 20 } },
    "api.create_article": { by: "admin", args: { p_cid: id.category, ...ARTICLE } },
    "api.create_article_category": { by: "admin", args: { p_title: "News", p_is_sign_in_ad: true, p_hidden: false } },
    "api.create_product": { by: "admin", args: PRODUCT },
    "api.delete_article": { by: "admin", args: { p_id: id.article } },
    "api.delete_article_category": { by: "admin", args: { p_id: id.empty_category } },
    "api.get_article": { by: "admin", args: { p_id: id.article } },
    "api.get_article_categories": { by: "admin", args: { p_page: 1, p_limit: 20 } },
    "api.get_article_category": { by: "admin", args: { p_id: id.category } },
    "api.get_articles": { by: "admin", args: { p_cid: id.category, p_search: "news", p_status: 1, p_hidden: 0, p_page: 1, p_limit: 20 } },
    "api.set_article": { by: "admin", args: { p_id: id.article, p_cid: id.category, ...ARTICLE } },
    "api.set_article_category": { by: "admin", args: { p_id: id.category, p_title: "News", p_is_sign_in_ad: false, p_hidden: true } },
    "api.set_product": { by: "admin", args: { p_id: id.product, ...PRODUCT, p_is_unlimited: false } },
    "api.deliver_order": { by: "admin", args: { p_order_id: id.settled, p_carrier: "SF", p_tracking_no: "SF1" } },
    "api.get_actions": {
      by: "admin",
      args: {
        p_function: "set_product", p_target_type: "product", p_target_id: "1", p_actor: id.admin_account, p_from: NOW, p_to: NOW, p_page: 1, p_limit: 20,
        p_cursor: "2026-11-20T04:00:00.000000Z_1",
      },
    },
    "api.get_agent_config_report": { by: "admin", args: {} },
    "api.get_agent_levels": { by: "admin", args: {} },
    "api.get_brokerage_config": { by: "admin", args: {} },
    "api.get_crontab": { by: "admin", args: {} },
    "api.get_payment_notifications": { by: "admin", args: { p_outcome: "refused", p_page: 1, p_limit: 20, p_cursor: "2026-11-20T04:00:00.000000Z_1" } },
    "api.get_outbox": { by: "admin", args: { p_state: "waiting", p_page: 1, p_limit: 20 } },
    "api.get_settings": { by: "admin", args: {} },
    "api.get_count_audit": { by: "admin", args: { p_uid: id.seller } },
    "api.get_jobs": { by: "admin", args: { p_state: "waiting", p_page: 1, p_limit: 20 } },
    "api.get_release_forecast": { by: "admin", args: { p_uid: id.seller } },
    "api.get_release_log": {
      by: "admin",
      args: { p_uid: id.seller, p_date_from: "2026-01-01", p_date_to: IN_A_YEAR.slice(0, 10), p_page: 1, p_limit: 20, p_cursor: "2026-11-20T04:00:00.000000Z_1" },
    },
    "api.get_settlement": { by: "admin", args: { p_order_id: id.settled } },
    "api.pay_order_offline": { by: "admin", args: { p_order_id: id.unpaid, p_pay_ref: "receipt 1" } },
    "api.refuse_payment": { by: "admin", args: { p_order_id: id.unpaid, p_reason: "Nothing arrived" } },
    "api.preview_brokerage_config": { by: "admin", args: { p_plan: PLAN, p_levels: LEVELS } },
    "api.preview_refund": { by: "admin", args: { p_order_id: id.settled, p_lines: refundLines } },
    "api.refund_order": { by: "admin", args: { p_order_id: id.settled, p_lines: refundLines, p_refund_ref: "refund 1" } },
    "api.refuse_refund": { by: "admin", args: { p_order_id: id.refund_requested } },
    "api.refund_payment": { by: "admin", args: { p_notification_id: id.unclaimed } },
    "api.retry_outbox": { by: "admin", args: { p_id: id.outbox } },
    "api.retry_provider_refund": { by: "admin", args: { p_id: id.failed_refund } },
    "api.retry_job": { by: "admin", args: { p_order_id: id.waiting } },
    "api.set_agent_level": { by: "admin", args: { p_uid: id.buyer, p_grade: 1 } },
    "api.set_agent_levels": { by: "admin", args: { p_levels: LEVELS, p_version: null } },
    "api.set_brokerage_config": { by: "admin", args: { p_plan: PLAN } },
    "api.run_crontab": { by: "admin", args: { p_name: "reconcile_bill" }, needsScheduler: true },
    "api.set_crontab": { by: "admin", args: { p_name: "reconcile_bill", p_schedule: "1 2 * * *", p_is_active: true }, needsScheduler: true },
    "api.set_settings": { by: "admin", args: {
      p_time_zone: "Asia/Tokyo", p_site_name: "Shop", p_h5_share_url: "https://example.com/h5", p_max_unpaid_orders: 30,
      p_payment_minutes: 15, p_payment_query_minutes: [1, 5, 10], p_order_expiry_minutes: 60, p_offline_payment: false, p_offline_payment_days: 3, p_receipt_days: 10, p_refund_window_days: 180,
      p_logo: "https://example.com/logo.png", p_colour: "#123abc", p_points_rate: 2, p_points_max_share: 0.3,
      p_adjustment_limit_money: 500, p_adjustment_limit_points: 250, p_offline_payment_limit: 60000, p_withdrawal_limit: 30000,
      p_withdrawal_minimum: 20, p_withdrawal_maximum: 5000, p_withdrawal_fee_rate: 0.006, p_withdrawal_methods: ["bank", "alipay"],
      p_transfer_minimum: 0.3, p_transfer_maximum: 200, p_transfer_name_from: 1000, p_avatar_origins: ["https://example.com"],
      p_orders_per_hour: 50, p_cancellations_per_hour: 40, p_keys_per_hour: 500, p_profile_changes_per_hour: 5, p_posters_per_hour: 10,
    } },
    "api.get_level_review": { by: "admin", args: { p_limit: 20, p_cursor: 10001 } },
    "api.get_signals": { by: "admin", args: { p_kind: "shared_order", p_limit: 20, p_cursor: 10001 } },
    "api.get_own_roles": { by: "admin", args: {} },
    "api.create_adjustment": { by: "admin", args: { p_uid: id.seller, p_reason: "For a test", p_brokerage: 10, p_frozen_points: 5, p_available_points: -2 } },
    "api.approve_adjustment": { by: "admin", args: { p_id: id.adjustment } },
    "api.refuse_adjustment": { by: "admin", args: { p_id: id.adjustment } },
    "api.get_adjustments": { by: "admin", args: { p_uid: id.seller, p_state: "waiting", p_page: 1, p_limit: 20, p_cursor: "2026-11-20T04:00:00.000000Z_1" } },
    "api.set_no_assess": { by: "admin", args: { p_uid: id.buyer, p_no_assess: true } },
    "api.simulate": { by: "admin", args: { p_from: "2026-01-01", p_to: IN_A_YEAR.slice(0, 10), p_plan: null, p_levels: null } },

    "app.bind_spread": { args: { p_uid: id.newcomer, p_spread_uid: id.seller, p_now: NOW } },
    "app.cancel_order": { args: { p_order_id: id.unpaid, p_now: NOW } },
    "app.confirm_receipt": { args: { p_order_id: id.delivered, p_now: NOW } },
    "app.create_order": { args: { p_uid: id.buyer, p_items: items, p_now: NOW, p_address: ADDRESS, p_remark: "Ring twice", p_expected_price: null, p_use_points: 1 } },
    "app.create_plan": { args: { p_plan: PLAN, p_created_by: id.admin_account, p_now: NOW } },
    "app.deliver_order": { args: { p_order_id: id.settled, p_now: NOW, p_carrier: "SF", p_tracking_no: "SF1" } },
    "app.ensure_month_partitions": { args: { p_from: "2026-10-01", p_to: "2026-11-01" } },
    "app.pay_order": { args: { p_order_id: id.unpaid, p_pay_type: "test", p_pay_ref: "receipt 1", p_now: NOW } },
    "app.preview_refund": { args: { p_order_id: id.settled, p_lines: refundLines, p_now: NOW } },
    "app.rebuild_team_totals": { args: {} },
    "app.reconcile": { args: {} },
    "app.record_reconcile": { args: {} },
    "app.refund_order": { args: { p_order_id: id.settled, p_lines: refundLines, p_refund_ref: "refund 1", p_now: NOW } },
    "app.refuse_refund": { args: { p_order_id: id.refund_requested, p_now: NOW } },
    "app.release_frozen_points": { args: { p_business_day: "2026-11-20", p_now: NOW, p_chunk: 10 } },
    "app.request_refund": { args: { p_order_id: id.settled, p_lines: refundLines, p_reason: "too big", p_now: NOW } },
    "app.run_settlement_jobs": { args: { p_limit: 10, p_now: IN_A_YEAR } },
    "app.set_agent_level": { args: { p_uid: id.buyer, p_grade: 1, p_changed_by: id.admin_account, p_now: NOW } },
    "app.set_agent_levels": { args: { p_levels: LEVELS, p_created_by: id.admin_account, p_now: NOW } },
    "app.set_no_assess": { args: { p_uid: id.buyer, p_no_assess: true, p_changed_by: id.admin_account, p_now: NOW } },
    "app.settle_order": { args: { p_order_id: id.waiting, p_now: IN_A_YEAR } },
    "app.simulate": {
      args: { p_plan: null, p_levels: null, p_from: "2026-01-01", p_to: IN_A_YEAR.slice(0, 10), p_max_orders: 100, p_limit: 20, p_by_payment: false },
    },
    "app.verify_agent_config": { args: {} },
  };
}
