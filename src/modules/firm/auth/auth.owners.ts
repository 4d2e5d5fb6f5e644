import type { Role } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { LookUp } from '../../../platform/db/directory.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'

/** The owner of an account: a user or a client. */
export type Owner = { userId: string } | { traderId: string }

/** An account that may belong to an address, before the person and firm are chosen. */
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

/** A link that signs its owner in once, with its expiry. */
export type Link = { url: string; expiresAt: number }

/** The present facts of an owner who is not deleted. */
export type OwnerFacts = {
  email: string | null
  displayName: string
  /** The role of staff; null for clients. */
  role: Role | null
  /** A BCP 47 tag of the language that they read; null if it was never chosen. */
  locale: string | null
  maySignIn: boolean
  /** Whether the person was invited and never signed in, and so has no password to reset. */
  isInvited: boolean
}

/** What sign-in knows about one kind of people with credentials. */
export type OwnerKind = {
  /** Finds accounts of active firms, with their credentials, that may sign in with an address or were invited at it. */
  byAddress: LookUp<Candidate>
  find(db: Reader, id: string): OwnerFacts | undefined
  /** Notes a sign-in, if the owner's row has the time of the last sign-in. */
  noteSignIn(tx: Tx, id: string): void
  /** Makes an invited person active; returns false if that person may no longer sign in. */
  takeInvite(tx: Tx, ctx: Ctx, id: string, displayName: string | undefined): boolean
  /** Mails the link that sets a first password. */
  mailInvite(tx: Tx, ctx: Ctx, id: string, link: Link): void
}

/** The two kinds of people with credentials. Sign-in imports neither module, so `src/composition.ts` provides both. */
export type Owners = { users: OwnerKind; traders: OwnerKind }

/** Returns the kind of an owner, and the owner's id in it. */
export const resolveOwner = (owners: Owners, owner: Owner): { kind: OwnerKind; id: string } =>
  'userId' in owner ? { kind: owners.users, id: owner.userId } : { kind: owners.traders, id: owner.traderId }

export function findOwnerFacts(owners: Owners, db: Reader, owner: Owner): OwnerFacts | undefined {
  const { kind, id } = resolveOwner(owners, owner)
  return kind.find(db, id)
}
