/**
 * An amount of money as people and clients write it: digits with at most two decimals. Requests and forms accept the
 * same.
 */
export const amountText = /^\d{1,12}(\.\d{1,2})?$/;
