import { ActionIcon, Button, Group, Paper, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { emptyTexts, wrongAddresses } from "../../components/field_text.ts";
import { MoveButtons } from "../../components/move_buttons.tsx";
import { notify } from "../../components/notify.ts";
import { Page } from "../../components/page.tsx";
import { PicturesInput } from "../../components/pictures_input.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { RestoredNotice } from "../../components/restored_notice.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { Pictured } from "../../components/thumbnail.tsx";
import { type FieldErrors, useDraft } from "../../components/use_draft.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { ProductPicker, type ProductReference } from "./product_picker.tsx";

type FirstPage = Admin["AdminFirstPage"];
type Banner = FirstPage["banners"][number];
/** A banner keeps its key when it is moved, so that a picture that is being uploaded reaches it. */
type Fields = { banners: (Banner & { key: number })[]; featured: ProductReference[] };

const mostBanners = 10;
const mostFeatured = 20;

const emptyBanner: Banner = { image: "", title: "", product: null };

const fieldsOf = ({ banners, featured }: FirstPage): Fields => ({
  banners: banners.map((banner, key) => ({ ...banner, key })),
  featured,
});

const errorsOf = ({ banners }: Fields): FieldErrors =>
  Object.assign(
    {},
    ...banners.map(({ image, title }, at) => ({
      ...wrongAddresses({ [`banners.${at}.image`]: image }),
      ...emptyTexts({ [`banners.${at}.image`]: image, [`banners.${at}.title`]: title }),
    })),
  ) as FieldErrors;

interface PlaceButtonsProps {
  form: UseFormReturnType<Fields>;
  list: keyof Fields;
  at: number;
  /** What is moved or removed, for screen readers. */
  title: string;
}

/** Moves an entry of a list up or down, or removes it. */
function PlaceButtons({ form, list, at, title }: PlaceButtonsProps) {
  const { t } = useTranslation("first_page");
  return (
    <Group gap={4} wrap="nowrap">
      <MoveButtons
        title={title}
        at={at}
        count={form.values[list].length}
        onMove={(by) => form.reorderListItem(list, { from: at, to: at + by })}
      />
      <ActionIcon
        variant="subtle"
        color="red"
        aria-label={t("remove", { title })}
        onClick={() => form.removeListItem(list, at)}
      >
        <Trash2 size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

function BannerFields({ form, at }: { form: UseFormReturnType<Fields>; at: number }) {
  const { t } = useTranslation("first_page");
  const { image, product, title } = form.values.banners[at]!;
  const name = title || t("banner", { number: at + 1 });
  return (
    <Paper withBorder p="sm" component="li" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600} size="sm">
            {t("banner", { number: at + 1 })}
          </Text>
          <PlaceButtons form={form} list="banners" at={at} title={name} />
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Stack gap="xs">
            <PicturesInput
              value={image}
              error={form.errors[`banners.${at}.image`]}
              onChange={(value) => form.setFieldValue(`banners.${at}.image`, value)}
              label={t("image")}
              description={t("imageMeaning")}
              required
              most={1}
            />
            <TextInput
              {...form.getInputProps(`banners.${at}.title`)}
              label={t("alt")}
              description={t("altMeaning")}
              required
              maxLength={200}
            />
            <ProductPicker
              label={t("leadsTo")}
              value={product}
              onChange={(next) => form.setFieldValue(`banners.${at}.product`, next)}
            />
            {product && !product.is_show && <Tag color="orange">{t("offSale")}</Tag>}
          </Stack>
          {/^https?:\/\/\S+$/i.test(image) && (
            <img
              src={image}
              alt={title}
              style={{ width: "100%", aspectRatio: 2, objectFit: "cover", borderRadius: 8 }}
            />
          )}
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}

function FirstPageForm({ page }: { page: FirstPage }) {
  const { t } = useTranslation(["first_page", "common"]);
  const { admin } = useStore();
  const [saved] = useState(() => fieldsOf(page));
  const draft = useDraft<Fields>("first page", saved, errorsOf);
  const { form } = draft;
  const { banners, featured } = form.values;
  const save = useAction((fields: Fields, key) =>
    admin.PUT("/adminapi/first_page", {
      body: {
        banners: fields.banners.map(({ image, title, product }) => ({ image, title, product_id: product?.id ?? null })),
        featured: fields.featured.map(({ id }) => id),
      },
      ...key,
    }),
  );
  const submit = () =>
    save.mutate(form.values, {
      onSuccess: () => {
        draft.forget();
        notify(t("common:saved"));
      },
      onError: draft.showRejection,
    });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.validate().hasErrors) submit();
      }}
    >
      <Stack maw={860}>
        <RestoredNotice draft={draft} />
        <Section title={t("banners")} about={t("bannersMeaning")}>
          <Stack>
            {banners.length > 0 && (
              <Stack component="ul" p={0} m={0} style={{ listStyle: "none" }}>
                {banners.map(({ key }, at) => (
                  <BannerFields key={key} form={form} at={at} />
                ))}
              </Stack>
            )}
            <Group>
              <Button
                variant="default"
                leftSection={<Plus size={16} aria-hidden />}
                disabled={banners.length >= mostBanners}
                onClick={() =>
                  form.insertListItem("banners", {
                    ...emptyBanner,
                    key: Math.max(-1, ...banners.map(({ key }) => key)) + 1,
                  })
                }
              >
                {t("addBanner")}
              </Button>
            </Group>
          </Stack>
        </Section>
        <Section title={t("featured")} about={t("featuredMeaning")}>
          <Stack>
            {featured.length > 0 && (
              <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: "none" }}>
                {featured.map((product, at) => (
                  <Group key={product.id} component="li" justify="space-between" wrap="nowrap">
                    <Pictured address={product.image}>
                      <Group gap="xs">
                        <Text size="sm">{product.title}</Text>
                        {!product.is_show && <Tag color="orange">{t("offSale")}</Tag>}
                      </Group>
                    </Pictured>
                    <PlaceButtons form={form} list="featured" at={at} title={product.title} />
                  </Group>
                ))}
              </Stack>
            )}
            {featured.length < mostFeatured && (
              <ProductPicker
                // A new one for each product, without the text of the last.
                key={featured.length}
                label={t("addFeatured")}
                value={null}
                onChange={(product) => {
                  if (product && !featured.some(({ id }) => id === product.id))
                    form.insertListItem("featured", product);
                }}
              />
            )}
          </Stack>
        </Section>
        <FailureAlert error={save.error} marksFields />
        <Group justify="flex-end">
          <Allowed area="content">
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              {t("common:save")}
            </Button>
          </Allowed>
        </Group>
      </Stack>
    </form>
  );
}

/** What the first page of the app shows before its list: banners and featured products. */
export function Component() {
  const { t } = useTranslation("first_page");
  const result = useAdmin("/adminapi/first_page");
  return (
    <Page title={t("title")} about={t("about")}>
      <QueryResult of={result} lines={8}>
        {(page) => <FirstPageForm key={JSON.stringify(page)} page={page} />}
      </QueryResult>
    </Page>
  );
}
