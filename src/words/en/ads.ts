/** Ad platforms and their leads. */
export const ads = {
  'ads.problem.badSignature': 'The signature fits no connection of these pages.',
  'ads.problem.wrongVerifyToken': 'No connection has this verify token.',
  'ads.problem.notActive': 'The connection is not active. Test it, or enable it, and try again.',
  'ads.problem.tooManyBackfills': 'Ten backfills of this connection are running. Wait until one is done.',

  'ads.field.pageCrowded': 'page {page} is in five connections of this firm already',
  'ads.field.sinceFuture': 'must not be in the future',
  'ads.field.sinceTooOld': 'must be at most 90 days ago: the platform keeps leads no longer',
  'ads.field.unknownConnection': 'is not a connection of this firm',

  'ads.fault.status': 'The platform answered {status} without a reason.',
  'ads.fault.throttled': 'The platform asks to wait before the next call.',
  'ads.fault.token': 'The platform refuses the access token: {message}',
  'ads.fault.tooLarge': 'The platform’s answer was too large to read.',
  'ads.fault.stopped': 'There was no answer in time.',

  'ads.error.identity': 'Identity: {message}',
  'ads.error.adAccount': 'Ad account {id}: {message}',
  'ads.error.page': 'Page {id}: {message}',

  'ads.lead.notTaken': 'Lead {lead}: {message}',
  'ads.lead.unreadable': 'The platform sent something that is no lead.',

  'ads.backfill.connectionRemoved': 'The connection was removed.',
} as const
