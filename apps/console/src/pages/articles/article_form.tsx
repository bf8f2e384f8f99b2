import { Group, Select, SimpleGrid, Switch, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { QueryResult } from "../../components/query_result.tsx";
import { emptyTexts } from "../../components/field_text.ts";
import { FormDrawer } from "../../components/form_drawer.tsx";
import { ArticlePreview, PreviewButton } from "../../components/phone_preview.tsx";
import { PicturesInput } from "../../components/pictures_input.tsx";
import { RichTextInput } from "../../components/rich_text_input.tsx";
import { SideDrawer } from "../../components/side_drawer.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { useCategories } from "./use_categories.ts";

type Article = Admin["AdminArticle"];
type Fields = {
  cid: string;
  title: string;
  author: string;
  image_input: string;
  synopsis: string;
  content: string;
  url: string;
  status: boolean;
  hidden: boolean;
};

const emptyArticle: Fields = {
  cid: "",
  title: "",
  author: "",
  image_input: "",
  synopsis: "",
  content: "",
  url: "",
  status: true,
  hidden: false,
};

function fieldsOf({ cid, title, author, image_input, synopsis, content, url, status, hidden }: Article): Fields {
  return {
    cid: String(cid),
    title,
    author,
    image_input,
    synopsis,
    content,
    url,
    status: status === 1,
    hidden: hidden === 1,
  };
}

function Form({ id, saved, onClose }: { id?: number; saved: Fields; onClose: () => void }) {
  const { t } = useTranslation(["articles", "common"]);
  const { admin } = useStore();
  const categories = useCategories();
  const draft = useDraft<Fields>(`article ${id ?? "new"}`, saved, ({ title, cid }) => emptyTexts({ title, cid }));
  const { form } = draft;
  const save = useAction(({ cid, ...fields }: Fields, key) => {
    if (!id) return admin.POST("/adminapi/article", { body: { ...fields, cid: Number(cid) }, ...key });
    const { cid: movedTo, ...changes } = draft.changes();
    return admin.PUT("/adminapi/article/{id}", {
      params: { path: { id } },
      body: { ...changes, ...(movedTo && { cid: Number(movedTo) }) },
      ...key,
    });
  });
  return (
    <FormDrawer
      area="content"
      title={id ? t("edit", { title: saved.title }) : t("add")}
      draft={draft}
      save={save}
      {...(!id && { added: t("added") })}
      onClose={onClose}
    >
      <TextInput {...form.getInputProps("title")} label={t("name")} required maxLength={200} data-autofocus />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          {...form.getInputProps("cid")}
          label={t("category")}
          description={categories.length === 0 ? t("categories.empty") : undefined}
          required
          allowDeselect={false}
          data={categories.map((category) => ({ value: String(category.id), label: category.title }))}
        />
        <TextInput {...form.getInputProps("author")} label={t("author")} maxLength={100} />
        <TextInput {...form.getInputProps("url")} label={t("url")} maxLength={500} inputMode="url" />
      </SimpleGrid>
      <PicturesInput
        value={form.values.image_input}
        error={form.errors.image_input}
        onChange={(value) => form.setFieldValue("image_input", value)}
        label={t("picture")}
        most={1}
      />
      <Textarea
        {...form.getInputProps("synopsis")}
        label={t("synopsis")}
        maxLength={1000}
        autosize
        minRows={2}
        maxRows={5}
      />
      <RichTextInput
        label={t("content")}
        value={form.values.content}
        error={form.errors.content}
        onChange={(value) => form.setFieldValue("content", value)}
      />
      <PreviewButton>
        <ArticlePreview article={form.values} />
      </PreviewButton>
      <Group>
        <Switch {...form.getInputProps("status", { type: "checkbox" })} label={t("published")} />
        <Switch {...form.getInputProps("hidden", { type: "checkbox" })} label={t("hidden")} />
      </Group>
    </FormDrawer>
  );
}

/** Adds an article, or changes an existing one, which is loaded each time that it is opened. */
export function ArticleForm({ id, onClose }: { id?: number; onClose: () => void }) {
  const { t } = useTranslation("common");
  const result = useAdmin(
    "/adminapi/article/{id}",
    { params: { path: { id: id ?? 0 } } },
    { enabled: id !== undefined, gcTime: 0 },
  );
  if (id === undefined) return <Form saved={emptyArticle} onClose={onClose} />;
  if (result.data) return <Form id={id} saved={fieldsOf(result.data)} onClose={onClose} />;
  return (
    <SideDrawer title={t("edit")} onClose={onClose}>
      <QueryResult of={result} lines={10}>
        {() => null}
      </QueryResult>
    </SideDrawer>
  );
}
