import { Box, Loader, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight, useSpotlight } from "@mantine/spotlight";
import { Search } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { FailureAlert } from "../components/failure_alert.tsx";
import { Thumbnail } from "../components/thumbnail.tsx";
import { useAdmin } from "../store/store.ts";
import { isContact, useContact } from "./search_contact.ts";
import { type SearchItem, useCommands, useFoundItems } from "./search_items.tsx";

const typingPause = 200;
/** The longest text that the store searches for, and the longest email address. */
const longestText = 64;
const longestContact = 254;

const [store, { toggle, close }] = createSpotlight();

export const toggleSearch = toggle;

/**
 * The search for everything: what the store finds, the pages of the menu, and actions. It is used like a list of
 * suggestions: arrows and Enter.
 */
export function SearchDialog() {
  const { t } = useTranslation("common");
  const id = useId();
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState<string>();
  const { opened, selected } = useSpotlight(store);
  const hasLeft = useRef(false);
  const [returnsFocus, setReturnsFocus] = useState(true);

  const text = query.trim();
  const [asked] = useDebouncedValue(text, typingPause);
  const isAsked = opened && asked !== "" && asked.length <= longestText && !isContact(asked);
  const found = useAdmin("/adminapi/search", { params: { query: { text: asked } } }, { enabled: isAsked });
  const data = isAsked && asked === text ? found.data : undefined;

  const open = (to: string) => {
    // The page that is opened has the focus, not what had it before.
    hasLeft.current = true;
    setReturnsFocus(false);
    close();
    void navigate(to);
  };
  const contact = useContact(text, (uid) => open(`/users/${uid}`));
  const items: SearchItem[] = [...contact.items, ...useFoundItems(data), ...useCommands(text)];
  const groups = [...new Set(items.map(({ group }) => group))];
  const ordered = groups.flatMap((group) => items.filter((item) => item.group === group));
  const isSearching = text !== "" && text.length <= longestText && (asked !== text || found.isFetching);

  // The first line is chosen: what has just been found stands there. A line that the arrows chose stays chosen when the
  // answer arrives.
  const line = ordered.findIndex((item) => item.id === chosen);
  useEffect(() => {
    if (text !== "") store.setState((state) => ({ ...state, selected: Math.max(line, 0) }));
  }, [text, data, line]);

  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={(value) => {
        setQuery(value);
        setChosen(undefined);
      }}
      scrollable
      maxHeight={480}
      attributes={{ content: { "aria-label": t("search.open") } }}
      // Without the blur, for which a machine without a graphics processor draws the whole page again whenever the
      // cursor blinks.
      overlayProps={{ backgroundOpacity: 0.35 }}
      returnFocus={returnsFocus}
      transitionProps={{
        onEnter: () => setReturnsFocus(true),
        onExited: () => {
          if (hasLeft.current) document.querySelector("h1")?.focus();
          hasLeft.current = false;
        },
      }}
    >
      <Spotlight.Search
        placeholder={t("search.hint")}
        aria-label={t("search.open")}
        maxLength={longestContact}
        leftSection={<Search size={20} aria-hidden />}
        rightSection={isSearching && <Loader size="xs" aria-hidden />}
        // The arrows choose another line without telling what is rendered from the store.
        onKeyDown={({ key }) =>
          queueMicrotask(() => {
            store.setState((state) => ({ ...state }));
            if (key === "ArrowDown" || key === "ArrowUp") setChosen(ordered[store.getState().selected]?.id);
          })
        }
        role="combobox"
        aria-expanded={ordered.length > 0}
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        {...(ordered[selected] && { "aria-activedescendant": `${id}-${ordered[selected].id}` })}
      />
      <VisuallyHidden role="status">
        {isSearching || contact.message ? contact.message : t("search.results", { count: ordered.length })}
      </VisuallyHidden>
      {isAsked && found.error !== null && (
        <Box p="sm">
          <FailureAlert error={found.error} onRetry={() => void found.refetch()} />
        </Box>
      )}
      {contact.error !== null && (
        <Box p="sm">
          <FailureAlert error={contact.error} />
        </Box>
      )}
      {contact.message && <Spotlight.Empty>{contact.message}</Spotlight.Empty>}
      <Spotlight.ActionsList>
        <div id={`${id}-list`} role="listbox" aria-label={t("search.open")}>
          {groups.map((group) => (
            <Spotlight.ActionsGroup
              key={group}
              label={t(`search.groups.${group}`)}
              role="group"
              aria-label={t(`search.groups.${group}`)}
            >
              {ordered.map(
                (item, index) =>
                  item.group === group && (
                    <Spotlight.Action
                      key={item.id}
                      label={item.label}
                      {...(item.description && { description: item.description })}
                      leftSection={
                        item.image ? <Thumbnail address={item.image} side={18} /> : <item.icon size={18} aria-hidden />
                      }
                      // The component drops an id of its own.
                      renderRoot={(props) => <button {...props} id={`${id}-${item.id}`} />}
                      role="option"
                      aria-selected={index === selected}
                      data-selected={index === selected || undefined}
                      closeSpotlightOnTrigger={item.staysOpen !== true}
                      onClick={() => ("to" in item ? open(item.to) : item.run())}
                    />
                  ),
              )}
            </Spotlight.ActionsGroup>
          ))}
        </div>
      </Spotlight.ActionsList>
      {ordered.length === 0 && !contact.message && !found.error && (
        <Spotlight.Empty>{isSearching ? t("search.searching") : t("search.nothing")}</Spotlight.Empty>
      )}
    </Spotlight.Root>
  );
}
