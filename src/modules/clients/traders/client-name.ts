import { type Column, type SQL, sql } from 'drizzle-orm'

type Named = { firstName: Column; lastName: Column }

/** SQL of a person's first and last name; empty if both are missing. */
export const fullName = ({ firstName, lastName }: Named): SQL => sql`concat_ws(' ', ${firstName}, ${lastName})`

/** SQL of a person's name for lists: the name, else the address; null if both are missing. */
export const shownName = (of: Named & { email: Column }): SQL => sql`coalesce(nullif(${fullName(of)}, ''), ${of.email})`
