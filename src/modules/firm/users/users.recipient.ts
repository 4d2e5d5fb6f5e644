import { topRole } from '../../../platform/access/catalogue.ts'
import type { Recipients } from '../../base/mails/mails.hooks.ts'
import { users } from './users.table.ts'

/** Finds the colleague of a mail, with their present role. */
export const findColleague: Recipients['users']['find'] = (db, who, options) => {
  const user = db.find(users, who, options)
  return user && { id: user.id, role: topRole(user.roles) }
}
