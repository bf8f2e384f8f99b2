import { ActionIcon, Button, Divider, Group, Popover, Stack, Text, TextInput } from "@mantine/core";
import { Bookmark, Check, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin, AdminRoutes } from "../../../client/index.ts";
import { useAction } from "../../../shared/use_action.ts";
import { useAdmin, useStore } from "../store/store.ts";
import { FailureAlert } from "./failure_alert.tsx";
import type { ListState } from "./list_state.ts";

/** A list whose views can be saved. */
export type ViewPage = AdminRoutes["GET"]["/adminapi/me/view/{page}"]["request"]["path"]["page"];
type View = Admin["OwnViews"]["views"][number];

const longestName = 60;

/** A form of one line for the name of a view. @param button submits it */
function NameForm({
  label,
  first,
  onName,
  button,
}: {
  label: string;
  first: string;
  onName: (name: string) => void;
  button: ReactNode;
}) {
  const [name, setName] = useState(first);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === "") return;
        onName(name.trim());
        setName("");
      }}
    >
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <TextInput
          label={label}
          value={name}
          maxLength={longestName}
          flex={1}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        {button}
      </Group>
    </form>
  );
}

/** The views of a list that the administrator has saved, and the present filters as another one. */
function Views({ page, state, names, onApplied }: SavedViewsProps & { onApplied: () => void }) {
  const { t } = useTranslation(["lists", "common"]);
  const { admin } = useStore();
  const [renamed, setRenamed] = useState<string>();
  const stored = useAdmin("/adminapi/me/view/{page}", { params: { path: { page } } });
  const save = useAction((changed: View[], key) =>
    admin.PUT("/adminapi/me/view/{page}", { params: { path: { page } }, body: { views: changed }, ...key }),
  );
  const views = stored.data?.views ?? [];
  const kept = ["sort", ...names];
  const present = new URLSearchParams(
    kept.map((name) => [name, state.get(name)]).filter(([, value]) => value !== ""),
  ).toString();
  const apply = ({ query }: View) => {
    const filters = new URLSearchParams(query);
    state.set(Object.fromEntries(kept.map((name) => [name, filters.get(name) ?? ""])));
    onApplied();
  };
  return (
    <Stack gap="xs">
      {stored.data && views.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("views.none")}
        </Text>
      )}
      {views.map((view) =>
        view.name === renamed ? (
          <NameForm
            key={view.name}
            label={t("views.newName", { name: view.name })}
            first={view.name}
            onName={(name) => {
              save.mutate(views.map((other) => (other === view ? { ...view, name } : other)));
              setRenamed(undefined);
            }}
            button={
              <ActionIcon type="submit" variant="default" size="input-sm" aria-label={t("common:save")}>
                <Check size={16} aria-hidden />
              </ActionIcon>
            }
          />
        ) : (
          <Group key={view.name} gap={4} wrap="nowrap">
            <Button
              variant={view.query === present ? "light" : "subtle"}
              aria-pressed={view.query === present}
              justify="flex-start"
              flex={1}
              miw={0}
              onClick={() => apply(view)}
            >
              {view.name}
            </Button>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("views.rename", { name: view.name })}
              onClick={() => setRenamed(view.name)}
            >
              <Pencil size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("views.delete", { name: view.name })}
              onClick={() => save.mutate(views.filter((other) => other !== view))}
            >
              <Trash2 size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ),
      )}
      <Divider />
      {present === "" ? (
        <Text size="sm" c="dimmed">
          {t("views.noFilters")}
        </Text>
      ) : (
        stored.data && (
          <NameForm
            label={t("views.name")}
            first=""
            onName={(name) => save.mutate([...views.filter((view) => view.name !== name), { name, query: present }])}
            button={
              <Button type="submit" loading={save.isPending}>
                {t("common:save")}
              </Button>
            }
          />
        )
      )}
      <FailureAlert error={stored.error ?? save.error} />
    </Stack>
  );
}

interface SavedViewsProps {
  page: ViewPage;
  state: ListState;
  /** The names of the filters of the list. */
  names: readonly string[];
}

/** A button that opens the saved views of a list. They are read when it is pressed. */
export function SavedViews(props: SavedViewsProps) {
  const { t } = useTranslation("lists");
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      width={320}
      withinPortal
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          variant="default"
          size="input-sm"
          aria-label={t("views.button")}
          title={t("views.button")}
          onClick={() => setOpen(!isOpen)}
        >
          <Bookmark size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("views.button")} maw="calc(100vw - 2rem)">
        <Views {...props} onApplied={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
