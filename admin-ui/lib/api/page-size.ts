/** The largest page that the API answers. */
const WIDE_PAGE = 200

let isWide = false

/** Makes further pages as large as they can be, while many rows are read at once. */
export const setWidePages = (on: boolean): void => {
  isWide = on
}

/** Returns the number of rows to ask for with a further page that usually has `usual` of them. */
export const pickPageSize = (usual: number): number => (isWide ? WIDE_PAGE : usual)
