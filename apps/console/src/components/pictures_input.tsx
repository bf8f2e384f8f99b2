import { ActionIcon, Anchor, Button, FileButton, Group, Image, Input, Stack, Textarea } from "@mantine/core";
import { ArrowLeft, ArrowRight, Trash2, Upload } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { thumbnailOf } from "../../../../functions/_shared/words/thumbnail.ts";
import { Allowed } from "./allowed.tsx";
import { UploadProgress } from "./upload_progress.tsx";
import { addressesIn, usePictureUploads } from "./use_picture_uploads.ts";

export interface PicturesInputProps {
  label: string;
  description?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  /** The addresses, one in each line. */
  value: string;
  onChange: (value: string) => void;
  /** How many there can be. A picture replaces the only one. */
  most: number;
}

/**
 * Pictures that are uploaded from files, the camera or the clipboard, or that are somewhere else. They are sorted by
 * dragging, or by the buttons of each one.
 */
export function PicturesInput({ label, description, error, required, value, onChange, most }: PicturesInputProps) {
  const { t } = useTranslation("common");
  const [showsAddresses, setShowsAddresses] = useState(false);
  const [dragged, setDragged] = useState<number>();
  const addresses = addressesIn(value);
  const change = (list: string[]) => onChange(list.join("\n"));
  const { uploads, failure, upload, element } = usePictureUploads(value, onChange, most);

  function move(from: number, to: number): void {
    const moved = addresses.toSpliced(from, 1);
    change(moved.toSpliced(to, 0, addresses[from]!));
  }

  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={!showsAddresses && error}
      required={required}
      labelElement="div"
    >
      <Stack
        ref={element}
        gap="xs"
        mt={4}
        role="group"
        aria-label={label}
        // A click into the field gives it the focus, and so what is pasted next.
        tabIndex={-1}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          upload(event.dataTransfer.files);
        }}
      >
        <Group gap="xs" align="flex-start">
          {addresses.map((address, at) => (
            <Stack
              key={`${at} ${address}`}
              gap={2}
              align="center"
              draggable={most > 1}
              onDragStart={() => setDragged(at)}
              onDragEnd={() => setDragged(undefined)}
              onDrop={(event) => {
                if (dragged === undefined) return;
                event.preventDefault();
                event.stopPropagation();
                move(dragged, at);
              }}
              style={{ cursor: most > 1 ? "grab" : undefined, opacity: dragged === at ? 0.5 : 1 }}
            >
              <Image
                src={thumbnailOf(address)}
                alt={t("pictures.nth", { number: at + 1 })}
                w={88}
                h={88}
                fit="cover"
                radius="sm"
                draggable={false}
              />
              <Group gap={2} wrap="nowrap">
                {most > 1 && (
                  <>
                    <Control
                      label={t("pictures.earlier", { number: at + 1 })}
                      disabled={at === 0}
                      onClick={() => move(at, at - 1)}
                    >
                      <ArrowLeft size={16} aria-hidden />
                    </Control>
                    <Control
                      label={t("pictures.later", { number: at + 1 })}
                      disabled={at === addresses.length - 1}
                      onClick={() => move(at, at + 1)}
                    >
                      <ArrowRight size={16} aria-hidden />
                    </Control>
                  </>
                )}
                <Control
                  label={t("pictures.remove", { number: at + 1 })}
                  onClick={() => change(addresses.toSpliced(at, 1))}
                >
                  <Trash2 size={16} aria-hidden />
                </Control>
              </Group>
            </Stack>
          ))}
        </Group>
        <UploadProgress uploads={uploads} failure={failure} />
        <Allowed area="content">
          <Group gap="sm">
            <FileButton accept="image/*" multiple={most > 1} onChange={(files) => upload(files)}>
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  leftSection={<Upload size={16} aria-hidden />}
                  disabled={most > 1 && addresses.length >= most}
                >
                  {t("pictures.upload", { count: most })}
                </Button>
              )}
            </FileButton>
            <Anchor
              component="button"
              type="button"
              size="sm"
              aria-expanded={showsAddresses}
              onClick={() => setShowsAddresses(!showsAddresses)}
            >
              {t("pictures.addresses.open", { count: most })}
            </Anchor>
          </Group>
        </Allowed>
        {showsAddresses && (
          <Textarea
            label={t("pictures.addresses.label", { count: most })}
            description={t("pictures.addresses.meaning", { count: most })}
            error={error}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            autosize
            minRows={most > 1 ? 2 : 1}
            maxRows={6}
          />
        )}
      </Stack>
    </Input.Wrapper>
  );
}

interface ControlProps {
  label: string;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Control({ label, disabled = false, onClick, children }: ControlProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}
