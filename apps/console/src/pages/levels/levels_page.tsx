import { Stack } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Page } from "../../components/page.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { dropDraft, isDraftKept, keepDraft } from "../../components/use_draft.ts";
import { useAdmin } from "../../store/store.ts";
import { Simulation } from "../plans/simulation.tsx";
import { useWorstOrder, WorstOrder } from "../plans/worst_order.tsx";
import { ConflictNotice } from "./conflict_notice.tsx";
import { LevelFields } from "./level_fields.tsx";
import { emptyFieldsOf, formOf, levelsOf } from "./levels_draft.ts";
import { mergeLevels } from "./levels_merge.ts";
import { SaveLevelsButton } from "./save_levels_button.tsx";
import { baseOf, draftName, type LevelsBase, useLevelsBase, useLevelsDraft } from "./use_levels_draft.ts";

type Levels = Admin["AgentLevels"];
type Version = Admin["AgentLevels"]["versions"][number];

const column = columnsOf<Version>();

interface EditorProps {
  current: Levels;
  base: LevelsBase;
  /** Continues with another base. */
  onRebase: (base: LevelsBase) => void;
  /** Reloads the levels in force. */
  onReload: () => void;
}

function LevelsEditor({ current, base, onRebase, onReload }: EditorProps) {
  const draft = useLevelsDraft(base);
  const mine = draft.form.values;
  const isComplete = Object.keys(emptyFieldsOf(mine)).length === 0;
  const changed = levelsOf(mine);
  const worst = useWorstOrder({ levels: changed }, isComplete);
  const isOutdated = current.version > base.version;
  const isConflict = isOutdated && (draft.form.isDirty() || isDraftKept(draftName));
  useEffect(() => {
    if (isOutdated && !isConflict) onRebase(baseOf(current));
    // oxlint-disable-next-line react/exhaustive-deps -- once for each version that someone else saved
  }, [isOutdated, isConflict]);

  const takeTheirs = () => {
    dropDraft(draftName);
    onRebase(baseOf(current));
  };
  const keepMine = () => {
    keepDraft(draftName, mergeLevels(base.form, formOf(current.list), mine));
    onRebase(baseOf(current));
  };
  const save = (
    <SaveLevelsButton
      draft={draft}
      version={base.version}
      onSaved={(saved) => onRebase(baseOf(saved))}
      onConflict={onReload}
    />
  );
  return (
    <Stack>
      {isConflict && (
        <ConflictNotice
          saved={current.versions[0]}
          before={base.form}
          theirs={formOf(current.list)}
          mine={mine}
          onKeepMine={keepMine}
          onTakeTheirs={takeTheirs}
          onReload={onReload}
        />
      )}
      <LevelFields draft={draft} save={!isConflict && save} />
      <WorstOrder result={worst} isComplete={isComplete} />
      <Simulation draft={{ levels: changed }} isComplete={isComplete} />
    </Stack>
  );
}

/** The editor. It is mounted again for each base. */
function Levels({ current, onReload }: { current: Levels; onReload: () => void }) {
  const [base, setBase] = useLevelsBase(current);
  return <LevelsEditor key={base.version} current={current} base={base} onRebase={setBase} onReload={onReload} />;
}

function Versions({ versions }: { versions: Version[] }) {
  const { t } = useTranslation("levels");
  const columns = [
    column.number("version", t("version")),
    column.time("created_at", t("when")),
    column.actor("created_by", t("who")),
  ];
  return (
    <Section title={t("versions")}>
      <PlainTable
        label={t("versions")}
        columns={columns}
        rows={versions}
        rowId={({ version }) => version}
        empty={t("emptyVersions")}
        exportAs="level versions"
      />
    </Section>
  );
}

export function Component() {
  const { t } = useTranslation("levels");
  const result = useAdmin("/adminapi/agent/level");
  return (
    <Page title={t("title")} about={t("about")}>
      <QueryResult of={result} lines={10}>
        {(levels) => (
          <>
            <Levels current={levels} onReload={() => void result.refetch()} />
            <Versions versions={levels.versions} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}
