import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { classes } from "../../components/classes.ts";
import { ConfirmSheet } from "../../components/confirm_sheet.tsx";
import { TextArea, TextField } from "../../components/field.tsx";
import { Form, SubmitButton } from "../../components/form.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useForm } from "../../components/use_form.ts";
import "../../i18n/later.ts";
import { useTarget } from "../../session/after_sign_in.ts";
import { useApi, useStore } from "../../store/store.ts";
import { PasteField } from "./paste_field.tsx";
import { RegionSheet } from "./region_sheet.tsx";
import { writtenRegion } from "./regions.ts";

type SavedAddress = Api["SavedAddress"];

/** The levels of a region, from the largest to the smallest. The last may be left out. */
const regions = ["province", "city", "district"] as const;

function AddressForm({ address, target }: { address?: SavedAddress; target: string }) {
  const { t } = useTranslation("addresses");
  const navigate = useNavigate();
  const api = useStore();
  const [isDeleting, setDeleting] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const save = useAction((body: Api["AddressInput"], key) =>
    address
      ? api.PUT("/api/address/{id}", { params: { path: { id: address.id } }, body, ...key })
      : api.POST("/api/address", { body, ...key }),
  );
  const remove = useAction((id: number, key) => api.DELETE("/api/address/{id}", { params: { path: { id } }, ...key }));
  const leave = (text: string) => {
    notify(text);
    void navigate(target, { replace: true });
  };
  const [province = "", city = "", district = "", ...smaller] = address?.region ?? [];
  const { name = "", phone = "", street = "", is_default = false } = address ?? {};
  const form = useForm(
    { name, phone, province, city, district, street, is_default },
    (values) =>
      save.mutateAsync({
        name: values.name.trim(),
        phone: values.phone.trim(),
        // Parts of a longer region, which this form does not show, are kept.
        region: [...regions.map((part) => values[part].trim()).filter(Boolean), ...smaller],
        street: values.street.trim(),
        is_default: values.is_default,
      }),
    () => leave(t("saved")),
  );
  const { values } = form;
  const chosen = regions.map((part) => values[part]).filter(Boolean);
  // The list has the regions of China. Others are typed, and so is what the store has refused.
  const [isTyped, setTyped] = useState(false);
  const hasFields = isTyped || form.error !== null;
  const fillRegion = ([province = "", city = "", district = ""]: string[]) => ({ province, city, district });
  return (
    <Form of={form}>
      <div className={classes(layout.card, layout.stack)}>
        <PasteField
          onRead={({ region, ...read }) => {
            form.change({ ...read, ...(region && fillRegion(region)) });
            notify(t("paste.done"));
          }}
        />
      </div>
      <div className={classes(layout.card, layout.stack)}>
        <TextField label={t("name")} autoComplete="name" maxLength={64} required {...form.field("name")} />
        <TextField label={t("phone")} type="tel" autoComplete="tel" maxLength={25} required {...form.field("phone")} />
        <Button block shape="rounded" onClick={() => setChoosing(true)}>
          {chosen.length > 0 ? chosen.join(" ") : t("region.choose")}
        </Button>
        {hasFields ? (
          regions.map((part, at) => (
            <TextField
              key={part}
              label={t(`region.${part}`)}
              autoComplete={`address-level${at + 1}`}
              maxLength={64}
              required={at < 2}
              {...form.field(part, `region.${at}`)}
            />
          ))
        ) : (
          <Button fill="none" size="small" onClick={() => setTyped(true)}>
            {t("region.type")}
          </Button>
        )}
        <TextArea
          label={t("street")}
          autoComplete="street-address"
          maxLength={200}
          required
          {...form.field("street")}
        />
        <Checkbox checked={form.values.is_default} onChange={(isDefault) => form.change({ is_default: isDefault })}>
          {t("makeDefault")}
        </Checkbox>
      </div>
      <SubmitButton of={form}>{t("save")}</SubmitButton>
      {address && (
        <Button block fill="none" color="danger" onClick={() => setDeleting(true)}>
          {t("delete.action")}
        </Button>
      )}
      {isChoosing && (
        <RegionSheet
          onClose={() => setChoosing(false)}
          onChoose={(names) => {
            form.change(fillRegion(writtenRegion(names)));
            setChoosing(false);
          }}
        />
      )}
      {address && isDeleting && (
        <ConfirmSheet
          title={t("delete.title")}
          text={t("delete.text")}
          action={t("delete.action")}
          isDanger
          isPending={remove.isPending}
          error={remove.error}
          onClose={() => setDeleting(false)}
          onConfirm={() => remove.mutate(address.id, { onSuccess: () => leave(t("delete.done")) })}
        />
      )}
    </Form>
  );
}

/** Adds an address, or changes the one that the page's address names. */
export function Component() {
  const { t } = useTranslation("addresses");
  const { id } = useParams();
  const { target } = useTarget();
  const isNew = id === "new";
  const addresses = useApi("/api/address", {}, { enabled: !isNew });
  const back = target === "/" ? "/addresses" : target;
  return (
    <Page title={t(isNew ? "add" : "change")} back={back}>
      {isNew ? (
        <AddressForm target={back} />
      ) : (
        <QueryResult of={addresses}>
          {(list) => {
            const address = list.find((each) => String(each.id) === id);
            return address ? (
              <AddressForm key={address.id} address={address} target={back} />
            ) : (
              <p role="status">{t("gone")}</p>
            );
          }}
        </QueryResult>
      )}
    </Page>
  );
}
