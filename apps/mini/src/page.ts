// A page: loading, failed, signed out or ready; its writes; its list.
import type { Part, Row } from "./lists.ts";
import { type Failure, failureOf } from "./store/failure.ts";
import { changeCount, createWriter, isMember, session, SignedOut } from "./store/store.ts";
import { type Namespace, texts, type Texts } from "./texts/texts.ts";
import { openPage } from "./wechat.ts";

/** What every page shows. */
interface Shown {
  state: "loading" | "failed" | "signed_out" | "ready";
  failure: Failure | null;
  /** Something that a tap has asked for is on its way. */
  busy: boolean;
  /** Somebody else decides, such as WeChat: the page asks again. */
  isWaiting: boolean;
  rows: Row[];
  next: string | null;
  t: Partial<Texts>;
}

/** What the functions of a page have as `this`. */
export interface PageOf<Data> {
  data: Data & Shown;
  /** What the address of the page says. */
  query: Record<string, string | undefined>;
  setData(data: Partial<Data>): void;
  /** To the page that has opened this one. */
  getOpenerEventChannel(): { emit(event: string, value: unknown): void };
  /** Reads what the page shows. */
  refresh(): Promise<void>;
  /** Reads the list from its beginning, such as after another filter was chosen. */
  refreshList(): Promise<void>;
  /** Does what a tap asks for, and shows why it failed. Until it is done, other taps have no effect. */
  act(work: () => Promise<void>): Promise<void>;
  /** A write. Repeated with the same input, it takes effect once. */
  write: ReturnType<typeof createWriter>;
}

interface Definition<Data> {
  /** The title of the page. */
  title: string;
  /** The texts that its wxml shows, besides `common` and `mini`. */
  texts: readonly Namespace[];
  data: Data;
  /** Reads what stands above the list, whenever the page is shown. */
  load?(): Promise<NoInfer<Partial<Data & Pick<Shown, "isWaiting">>>>;
  /** Reads a part of the list: first without `next`. The list keeps its place until something was changed. */
  list?(next: string | undefined): Promise<Part>;
  /** What members share. The link names the member. */
  share?(): { title: string; path: string; imageUrl?: string };
}

/** What a page keeps besides its data. */
interface Hidden {
  /** Counts the reads: only the last one is shown. */
  turn: number;
  /** When the list was read, by `changeCount`. */
  listReadAt: number;
  isReadingOn: boolean;
  isVisible: boolean;
  timer: number;
  /** Does again what has failed. */
  again?: () => Promise<void>;
}

type Instance = Omit<PageOf<object>, "setData"> &
  Hidden &
  Pick<Definition<object>, "load" | "list" | "share"> & { setData(data: Partial<Shown>): void };

/**
 * After which time a page that waits asks again, in milliseconds. The store asks WeChat Pay at most once in two
 * seconds.
 */
const pause = 3000;

const common = {
  onLoad(this: Instance, query: Instance["query"]) {
    Object.assign(this, { query, write: createWriter(), turn: 0, listReadAt: -1, isReadingOn: false, timer: 0 });
  },

  onShow(this: Instance) {
    this.isVisible = true;
    void this.refresh();
  },

  onHide(this: Instance) {
    this.isVisible = false;
    clearTimeout(this.timer);
  },

  onUnload(this: Instance) {
    common.onHide.call(this);
  },

  async onPullDownRefresh(this: Instance) {
    await this.refreshList();
    void wx.stopPullDownRefresh();
  },

  async refresh(this: Instance) {
    const turn = (this.turn += 1);
    const readsList = this.list && this.listReadAt !== changeCount();
    try {
      const readAt = changeCount();
      const [above, part] = await Promise.all([this.load?.(), readsList ? this.list?.(undefined) : undefined]);
      if (turn !== this.turn) return;
      if (part) this.listReadAt = readAt;
      this.setData({ ...above, ...part, state: "ready", failure: null });
      clearTimeout(this.timer);
      if (this.data.isWaiting && this.isVisible) this.timer = setTimeout(() => void this.refresh(), pause);
    } catch (error) {
      if (turn !== this.turn) return;
      this.again = () => this.refresh();
      if (error instanceof SignedOut) this.setData({ state: "signed_out", failure: null, rows: [], next: null });
      else this.setData({ failure: failureOf(error), ...(this.data.state !== "ready" && { state: "failed" }) });
    }
  },

  refreshList(this: Instance) {
    this.listReadAt = -1;
    return this.refresh();
  },

  async onReachBottom(this: Instance) {
    const { next, rows } = this.data;
    const { turn } = this;
    if (next === null || this.isReadingOn || !this.list) return;
    this.isReadingOn = true;
    try {
      const part = await this.list(next);
      // A row that was added in the meantime moves others to the next part.
      const known = new Set(rows.map(({ id }) => id));
      if (turn === this.turn)
        this.setData({
          rows: [...rows, ...part.rows.filter(({ id }) => !known.has(id))],
          next: part.next,
          failure: null,
        });
    } catch (error) {
      this.again = () => common.onReachBottom.call(this);
      this.setData({ failure: failureOf(error) });
    } finally {
      this.isReadingOn = false;
    }
  },

  async act(this: Instance, work: () => Promise<void>) {
    if (this.data.busy) return;
    this.setData({ busy: true, failure: null });
    try {
      await work();
    } catch (error) {
      this.again = () => this.act(work);
      if (error instanceof SignedOut) common.signIn();
      else this.setData({ failure: failureOf(error) });
    } finally {
      this.setData({ busy: false });
    }
  },

  /** The button of a failure. */
  async retry(this: Instance) {
    this.setData({ failure: null, ...(this.data.state === "failed" && { state: "loading" }) });
    await this.again?.();
  },

  /** The button for those who have not signed in. */
  signIn() {
    openPage("/pages/sign_in/sign_in");
  },

  /** A row that leads to a page. */
  go({ currentTarget }: Tap<{ url: string }>) {
    if (currentTarget.dataset.url) openPage(currentTarget.dataset.url);
  },
};

/** The address of a page with the number of the member, who becomes the referrer of those who open it. */
async function withReferrer(path: string): Promise<{ path: string }> {
  try {
    return isMember() ? { path: `${path}${path.includes("?") ? "&" : "?"}spread=${(await session()).uid}` } : { path };
  } catch {
    return { path };
  }
}

/** WeChat waits up to three seconds for the promise, and shares the address without a member otherwise. */
function onShareAppMessage(this: Instance) {
  const shared = this.share!();
  return { ...shared, promise: withReferrer(shared.path).then((address) => ({ ...shared, ...address })) };
}

/** Defines a page: what it shows, and the functions that its elements name. */
export function definePage<Data extends object, Own extends object>(
  definition: Definition<Data> & ThisType<PageOf<Data>>,
  functions?: Own & ThisType<Own & PageOf<Data>>,
): void {
  const { title, texts: namespaces, data, ...reads } = definition;
  const shown: Shown = {
    state: "loading",
    failure: null,
    busy: false,
    isWaiting: false,
    rows: [],
    next: null,
    t: Object.fromEntries([...namespaces, "common" as const, "mini" as const].map((name) => [name, texts[name]])),
  };
  const page = {
    ...common,
    ...reads,
    ...functions,
    data: { ...shown, ...data },
    onReady: () => void wx.setNavigationBarTitle({ title }),
    ...(definition.share && { onShareAppMessage }),
  };
  Page(page as never);
}

/** The event of a tap, with what the element says about itself. */
export interface Tap<Dataset> {
  currentTarget: { dataset: Dataset };
}

/** The event of an input, a picker or a form. */
export interface Entered<Value> {
  detail: { value: Value };
}

/** Names and values, without those that have no value. */
export const factsOf = (pairs: [name: string, value: string | false | null | undefined][]) =>
  pairs.filter(([, value]) => value).map(([name, value]) => ({ name, value }));
