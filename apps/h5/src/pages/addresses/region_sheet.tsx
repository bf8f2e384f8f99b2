import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import layout from "../../../../shared/member_styles/layout.module.css";
import { QueryResult } from "../../components/query_result.tsx";
import { Sheet } from "../../components/sheet.tsx";
import styles from "./region_sheet.module.css";
import { loadRegions, type Region } from "./regions.ts";

interface RegionSheetProps {
  /** Gets the names from the province downwards. */
  onChoose: (names: string[]) => void;
  onClose: () => void;
}

/** The regions of one step, from which one is chosen. */
function Options({ regions, onChoose }: { regions: Region[]; onChoose: (region: Region) => void }) {
  const { t } = useTranslation("addresses");
  const list = useRef<HTMLUListElement>(null);
  // The button of the step before is gone, and the focus with it.
  useEffect(() => list.current!.focus({ preventScroll: true }), []);
  return (
    <ul ref={list} className={styles.options} aria-label={t("region.title")} tabIndex={-1}>
      {regions.map((region) => (
        <li key={region.name}>
          <button type="button" onClick={() => onChoose(region)}>
            {region.name}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Selects province, city and district, one after the other. A tap on what is chosen goes back to it. */
export function RegionSheet({ onChoose, onClose }: RegionSheetProps) {
  const { t } = useTranslation("addresses");
  const provinces = useQuery({ queryKey: ["regions"], queryFn: loadRegions, staleTime: Infinity });
  const [chosen, setChosen] = useState<Region[]>([]);
  const choose = (region: Region) => {
    const path = [...chosen, region];
    if (region.parts.length > 0) setChosen(path);
    else onChoose(path.map(({ name }) => name));
  };
  return (
    <Sheet title={t("region.title")} onClose={onClose}>
      <div className={layout.stack}>
        {chosen.length > 0 && (
          <div className={styles.path}>
            {chosen.map(({ name }, at) => (
              <button key={at} type="button" onClick={() => setChosen(chosen.slice(0, at))}>
                {name}
              </button>
            ))}
          </div>
        )}
        <QueryResult of={provinces} rows={6}>
          {(all) => <Options key={chosen.length} regions={chosen.at(-1)?.parts ?? all} onChoose={choose} />}
        </QueryResult>
      </div>
    </Sheet>
  );
}
