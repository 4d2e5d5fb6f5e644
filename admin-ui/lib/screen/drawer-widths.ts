/** How wide everything beside a page is: a form of one or two columns, a record. */
export const DRAWER_WIDTH = 520
/** For what holds a table: permissions, events, entries of a wallet. */
export const WIDE_DRAWER = 720
