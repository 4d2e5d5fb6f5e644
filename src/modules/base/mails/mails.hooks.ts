import type { Role } from '../../../platform/access/catalogue.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'

/** The person whom a link in a mail signs in. */
export type LetIn = { userId: string } | { traderId: string }

/** The person a mail is about: by id if its link signs that person in, else by address. */
type Who = { id: string } | { email: string }

type Kind<P extends { id: string }> = {
  find(db: Reader, who: Who, options?: { withDeleted?: boolean }): P | undefined
  /** Notes that this reader saw a link, and so could have signed in as its person. */
  noteReader(tx: Tx, reader: string | null, id: string): void
}

/** The recipients, as far as reading and sending of held mail need them; `src/composition.ts` provides it. */
export type Recipients = {
  users: Kind<{ id: string; role: Role }>
  traders: Kind<{ id: string }>
  /** Returns whether a one-time link is still valid. */
  isGoodLink(db: Reader, token: string): boolean
}
