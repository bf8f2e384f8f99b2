import { useEffect, useState } from "react";
import type wx from "weixin-js-sdk";
import { type Store, unwrap } from "../../../../client/index.ts";
import { load } from "../../../../shared/load_page.ts";
import { signedAddress } from "../../session/wechat.ts";
import { useStore, useWechatAppid } from "../../store/store.ts";

/** What WeChat shows of a page that is shared from its menu. */
export interface Card {
  title: string;
  description: string;
  /** The address that the card opens, below the domain of this page. */
  link: string;
  /** An absolute address. */
  picture: string;
}

const interfaces = ["updateAppMessageShareData", "updateTimelineShareData"] as const;

let configured: Promise<typeof wx> | undefined;

/** Has WeChat check that this page belongs to the service account of the store (docs/wechat_sharing.md). */
async function configure(api: Store["api"]): Promise<typeof wx> {
  const [{ default: sdk }, page] = await Promise.all([
    load(() => import("weixin-js-sdk"))(),
    unwrap(api.GET("/api/wechat/signature", { params: { query: { url: signedAddress() } } })),
  ]);
  return new Promise((resolve, reject) => {
    sdk.error(({ errMsg }) => reject(new Error(errMsg)));
    sdk.ready(() => resolve(sdk));
    sdk.config({
      appId: page.app_id,
      timestamp: page.timestamp,
      nonceStr: page.nonce_str,
      signature: page.signature,
      jsApiList: [...interfaces],
    });
  });
}

async function setCard(api: Store["api"], { title, description, link, picture }: Card): Promise<void> {
  configured ??= configure(api).catch((error: unknown) => {
    configured = undefined;
    throw error;
  });
  const sdk = await configured;
  const set = (name: (typeof interfaces)[number]) =>
    new Promise<void>((resolve, reject) => {
      sdk[name]({ title, desc: description, link, imgUrl: picture, success: resolve, fail: reject });
    });
  await Promise.all(interfaces.map(set));
}

/**
 * Sets the card of the page that is shown, inside WeChat.
 * @param card undefined until it is known
 * @returns whether WeChat has taken it. Where it has not, for whatever reason, the page offers its link
 */
export function useWechatCard(card: Card | undefined): boolean {
  const api = useStore();
  const isOffered = useWechatAppid() !== undefined;
  const [taken, setTaken] = useState<string>();
  const text = card && JSON.stringify(card);
  useEffect(() => {
    if (!isOffered || text === undefined) return;
    let isShown = true;
    setCard(api, JSON.parse(text) as Card).then(
      () => isShown && setTaken(text),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [api, isOffered, text]);
  return text !== undefined && taken === text;
}
