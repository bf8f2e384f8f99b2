import { Button, Checkbox } from "antd-mobile";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { failureOf } from "../../../../web/failure.ts";
import { useAction } from "../../../../web/use_action.ts";
import { ConfirmSheet } from "../../components/confirm_sheet.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import { TextArea, TextField } from "../../components/field.tsx";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { useTarget } from "../../session/after_sign_in.ts";
import { useApi, useStore } from "../../store/store.tsx";

type SavedAddress = Api["SavedAddress"];

/** The levels of a region, from the largest to the smallest. The last may be left out. */
const regions = ["province", "city", "district"] as const;

function AddressForm({ address, target }: { address?: SavedAddress; target: string }) {
  const { t } = useTranslation("addresses");
  const navigate = useNavigate();
  const api = useStore();
  const [name, setName] = useState(address?.name ?? "");
  const [phone, setPhone] = useState(address?.phone ?? "");
  const [region, setRegion] = useState<string[]>(regions.map((_, at) => address?.region[at] ?? ""));
  const [street, setStreet] = useState(address?.street ?? "");
  const [isDefault, setDefault] = useState(address?.is_default ?? false);
  const [isDeleting, setDeleting] = useState(false);

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
  const { fields } = save.error ? failureOf(save.error) : { fields: {} as Record<string, string> };
  const submit = () =>
    save.mutate(
      // Parts of a longer region, which this form does not show, are kept.
      {
        name: name.trim(),
        phone: phone.trim(),
        region: [...region.map((part) => part.trim()).filter(Boolean), ...(address?.region.slice(regions.length) ?? [])],
        street: street.trim(),
        is_default: isDefault,
      },
      { onSuccess: () => leave(t("saved")) },
    );
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FailureBox error={save.error} />
      <div className="card stack">
        <TextField
          label={t("name")}
          name="name"
          autoComplete="name"
          maxLength={64}
          required
          value={name}
          error={fields.name}
          onChange={({ target: { value } }) => setName(value)}
        />
        <TextField
          label={t("phone")}
          name="phone"
          type="tel"
          autoComplete="tel"
          maxLength={25}
          required
          value={phone}
          error={fields.phone}
          onChange={({ target: { value } }) => setPhone(value)}
        />
        {regions.map((part, at) => (
          <TextField
            key={part}
            label={t(`region.${part}`)}
            name={part}
            autoComplete={`address-level${at + 1}`}
            maxLength={64}
            required={at < 2}
            value={region[at]}
            error={fields[`region.${at}`]}
            onChange={({ target: { value } }) => setRegion(region.map((other, position) => (position === at ? value : other)))}
          />
        ))}
        <TextArea
          label={t("street")}
          name="street"
          autoComplete="street-address"
          maxLength={200}
          required
          value={street}
          error={fields.street}
          onChange={({ target: { value } }) => setStreet(value)}
        />
        <Checkbox checked={isDefault} onChange={setDefault}>
          {t("makeDefault")}
        </Checkbox>
      </div>
      <Button block type="submit" color="primary" size="large" shape="rounded" loading={save.isPending}>
        {t("save")}
      </Button>
      {address && (
        <Button block fill="none" color="danger" onClick={() => setDeleting(true)}>
          {t("delete.action")}
        </Button>
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
    </form>
  );
}

/** Adds an address, or changes the one that the page's address names. */
export function Component() {
  const { t } = useTranslation("addresses");
  const { id } = useParams();
  const { target } = useTarget();
  const isNew = id === "new";
  const addresses = useApi().useQuery("get", "/api/address", {}, { enabled: !isNew });
  const back = target === "/" ? "/addresses" : target;
  return (
    <Page title={t(isNew ? "add" : "change")} back={back}>
      {isNew ? (
        <AddressForm target={back} />
      ) : (
        <QueryResult of={addresses}>
          {(list) => {
            const address = list.find((each) => String(each.id) === id);
            return address ? <AddressForm key={address.id} address={address} target={back} /> : <p role="status">{t("gone")}</p>;
          }}
        </QueryResult>
      )}
    </Page>
  );
}
