import { type Column, type SQL, sql } from 'drizzle-orm'

type Named = { firstName: Column; lastName: Column }

/** First and last name of a person as SQL, with what is there of them; empty where there is neither. */
export const fullName = ({ firstName, lastName }: Named): SQL => sql`concat_ws(' ', ${firstName}, ${lastName})`

/** How a person is called in lists: by name, else by address; null where both are gone. */
export const shownName = (of: Named & { email: Column }): SQL => sql`coalesce(nullif(${fullName(of)}, ''), ${of.email})`
