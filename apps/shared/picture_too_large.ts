/** The picture is still larger than the store accepts after it was scaled, or could not be scaled. */
export class PictureTooLarge extends Error {}
