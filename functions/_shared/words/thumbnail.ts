/** The large file of an uploaded picture. `picture_storage.ts` names it. */
const UPLOADED = /(\/storage\/v1\/object\/public\/pictures\/[0-9a-f-]{36}\/)large(\.\w+)$/;

/**
 * The address of a picture for a small place: the small file of an uploaded picture. A picture from elsewhere has no
 * other one.
 */
export function thumbnailOf(address: string): string {
  return address.replace(UPLOADED, "$1small$2");
}
