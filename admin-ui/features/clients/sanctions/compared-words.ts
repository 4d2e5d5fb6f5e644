import type { Hit } from './sanctions.api.ts'
import { say } from './words.ts'

/** Says how the client's date of birth and country compare with those of the entry. */
export const BIRTH: Record<Hit['explanation']['birth'], string> = {
  same: say('sanctions.birth.same'),
  same_year: say('sanctions.birth.same_year'),
  differs: say('sanctions.differs'),
  unknown: say('sanctions.unknown'),
}
export const COUNTRY: Record<Hit['explanation']['country'], string> = {
  same: say('sanctions.same'),
  differs: say('sanctions.differs'),
  unknown: say('sanctions.unknown'),
}
