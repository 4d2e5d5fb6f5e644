import type { Role } from '../../../platform/access/catalogue.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'

/** Whom a link in a mail lets in: a colleague or a client. */
export type LetIn = { userId: string } | { traderId: string }

/** Who a mail is about: by their id where it lets somebody in, else by the address that it went to. */
type Who = { id: string } | { email: string }

type Kind<P extends { id: string }> = {
  find(db: Reader, who: Who, options?: { withDeleted?: boolean }): P | undefined
  /** Notes that somebody read a link, and so could be the person whom it lets in. */
  noteReader(tx: Tx, reader: string | null, id: string): void
}

/** Who gets mail, as far as reading and sending what is held needs to know; `src/composition.ts` hands it in. */
export type Recipients = {
  users: Kind<{ id: string; role: Role }>
  traders: Kind<{ id: string }>
  /** Whether a one-time link still lets in. */
  isGoodLink(db: Reader, token: string): boolean
}
