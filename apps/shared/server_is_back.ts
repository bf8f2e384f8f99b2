import { useCallback, useEffect, useRef, useState } from "react";

const pause = 5000;

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch("config.json", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

/**
 * For a site that could not load a part of itself: checks whether the server is reachable, at once, when the browser
 * comes online and every few seconds, and reloads the page when it is. If the first check succeeds, there is no reload:
 * a file that is missing for another reason would cause an endless loop.
 * @returns whether the server is unreachable, and a function that checks it at once
 */
export function useServerIsBack(): { isAway: boolean; ask: () => void } {
  const [isAway, setIsAway] = useState(true);
  const wasAway = useRef(false);
  const ask = useCallback(() => {
    void isServerThere().then((isThere) => {
      if (isThere && wasAway.current) location.reload();
      wasAway.current ||= !isThere;
      setIsAway(!isThere);
    });
  }, []);

  useEffect(() => {
    if (!isAway) return undefined;
    ask();
    const timer = setInterval(ask, pause);
    addEventListener("online", ask);
    return () => {
      clearInterval(timer);
      removeEventListener("online", ask);
    };
  }, [isAway, ask]);
  return { isAway, ask };
}
