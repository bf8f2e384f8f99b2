import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import styles from "./search_field.module.css";

/** The longest search text that the store accepts. */
export const longestSearch = 64;

interface SearchFieldProps {
  /** The text that is searched for. */
  applied: string;
  onSearch: (text: string) => void;
}

/**
 * A text that is searched for when it is sent: Chinese is typed in several steps, which are no texts yet. An empty one
 * ends the search at once.
 */
export function SearchField({ applied, onSearch }: SearchFieldProps) {
  const { t } = useTranslation("products");
  const [typed, setTyped] = useState(applied);
  // Back and forward change the text that is searched for.
  useEffect(() => setTyped(applied), [applied]);
  return (
    <form
      role="search"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <input
        type="search"
        name="search"
        aria-label={t("search")}
        placeholder={t("searchHint")}
        enterKeyHint="search"
        maxLength={longestSearch}
        value={typed}
        onChange={({ target: { value } }) => {
          setTyped(value);
          if (value === "" && applied !== "") onSearch("");
        }}
      />
      <button type="submit" aria-label={t("search")}>
        <Search size={20} aria-hidden />
      </button>
    </form>
  );
}
