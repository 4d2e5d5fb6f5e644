/**
 * Every path that the driver may call. Nothing that archives, deletes, restarts or edits a deal is among them, nor the
 * check of a balance, which with a flag rewrites it.
 */
export const PATHS = {
  start: '/api/auth/start',
  prove: '/api/auth/answer',
  ping: '/api/test/access',
  quit: '/api/quit',
  time: '/api/time/server',
  common: '/api/common/get',
  manager: '/api/manager/get',
  groups: '/api/group/get',
  logins: '/api/user/logins',
  users: '/api/user/get_batch',
  accounts: '/api/user/account/get_batch',
  archived: '/api/user/archive/get_batch',
  positions: '/api/position/get_batch',
  positionTotal: '/api/position/get_total',
  deals: '/api/deal/get_batch',
  balance: '/api/trade/balance',
  add: '/api/user/add',
  update: '/api/user/update',
  password: '/api/user/change_password',
  checkPassword: '/api/user/check_password',
} as const
export type Path = (typeof PATHS)[keyof typeof PATHS]
