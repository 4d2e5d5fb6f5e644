/** The width of a drawer with a form of one or two columns, or a record. */
export const DRAWER_WIDTH = 520
/** The width of a drawer with a table: permissions, events, entries of a wallet. */
export const WIDE_DRAWER = 720
