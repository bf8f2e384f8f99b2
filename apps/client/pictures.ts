/** A picture in the storage of the store. */
export interface UploadedPicture {
  url: string;
  small_url: string;
}

/** A picture that has no address. Its links are valid for some minutes. */
export interface PrivatePicture extends UploadedPicture {
  id: string;
}

/**
 * What `POST /picture/{kind}` returns: `avatar` of the member who is signed in, `store` for what administrators write,
 * or `refund` for a refund request.
 */
export interface UploadedPictures {
  avatar: UploadedPicture;
  store: UploadedPicture;
  refund: PrivatePicture;
}

/** The largest file that the store accepts. */
export const mostPictureBytes = 5_000_000;

/** The most pictures of a refund request. */
export const mostRefundPictures = 6;
