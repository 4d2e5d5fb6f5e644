import type { Role } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { LookUp } from '../../../platform/db/directory.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'

/** Whose account it is: exactly one of the two. */
export type Owner = { userId: string } | { traderId: string }

/** Somebody who may sign in with an address: nobody is known yet, so their tenant is not either. */
export type Candidate = {
  tenantId: string
  tenantSlug: string
  tenantName: string
  tenantDomain: string | null
  userId: string | null
  traderId: string | null
  roles: string | null
  passwordHash: string | null
  totpEnabled: number
  displayName: string
}

/** A link that lets its owner in once, and until when. */
export type Link = { url: string; expiresAt: number }

/** What the row of an owner says of them now; who is deleted has none. */
export type OwnerFacts = {
  email: string | null
  displayName: string
  /** Their role among the staff; clients have none. */
  role: Role | null
  /** The language that they read, as a BCP 47 tag; null where nobody said. */
  locale: string | null
  maySignIn: boolean
  /** Invited and never in: there is no password yet to be reset. */
  isInvited: boolean
}

/** One kind of people who own credentials: all that sign-in knows of them. */
export type OwnerKind = {
  /** Everybody of active firms who may sign in with an address, or was invited by it; with what they sign in with. */
  byAddress: LookUp<Candidate>
  find(db: Reader, id: string): OwnerFacts | undefined
  /** Notes a sign-in where the owner's row tells of the last one. */
  noteSignIn(tx: Tx, id: string): void
  /** Lets in who takes an invitation; false where they may not come in any more. */
  takeInvite(tx: Tx, ctx: Ctx, id: string, displayName: string | undefined): boolean
  /** Mails the link that sets a first password. */
  mailInvite(tx: Tx, ctx: Ctx, id: string, link: Link): void
}

/** Who may own credentials. Sign-in imports neither: `src/composition.ts` hands them in. */
export type Owners = { users: OwnerKind; traders: OwnerKind }

/** The kind of an owner, and which of them it is. */
export const kindOf = (owners: Owners, owner: Owner): { kind: OwnerKind; id: string } =>
  'userId' in owner ? { kind: owners.users, id: owner.userId } : { kind: owners.traders, id: owner.traderId }

/** What is known of an owner now. */
export function factsOf(owners: Owners, db: Reader, owner: Owner): OwnerFacts | undefined {
  const { kind, id } = kindOf(owners, owner)
  return kind.find(db, id)
}
