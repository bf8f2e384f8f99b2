import { useCallback, useEffect, useRef, useState } from "react";

const pause = 5000;

async function serverAnswers(): Promise<boolean> {
  try {
    return (await fetch("config.json", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

/**
 * For a console of which something did not arrive: asks whether its server can be reached, at once, when the browser is online
 * again and every few seconds, and loads the page anew when it is back. A server that could be reached all the time is not asked
 * again: loading anew by itself would not end where a file is missing for another reason.
 * @returns whether the server cannot be reached, and what asks it at once
 */
export function useServerIsBack(): { isAway: boolean; ask: () => void } {
  const [isAway, setIsAway] = useState(true);
  const wasAway = useRef(false);
  const ask = useCallback(() => {
    void serverAnswers().then((isThere) => {
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
