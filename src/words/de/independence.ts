import { ALONE_HOURS, INVOLVED_DAYS } from '../rule-figures.ts'

/** Independence of an account, and why an approval does not count. */
export const independence = {
  'independence.error.not_independent':
    'Ihr Zugang gehört nicht Ihnen allein: Eine dritte Person muss für ihn bürgen, bevor Ihre Stimme zählt.',
  'independence.error.own_client':
    'Sie könnten sich als dieser Kunde anmelden (Sie haben einen Link gelesen oder gesendet oder die Adresse eingegeben): Eine andere Person entscheidet.',
  'independence.error.password_change_required':
    'Ändern Sie zuerst das Passwort, das Sie von einem Kollegen bekommen haben; dann ist das möglich.',
  'independence.error.nobody_else':
    'Niemand sonst könnte hier entscheiden: Laden Sie einen Kollegen als Manager oder höher ein, oder lassen Sie einen Inhaber die Schwelle für künftige Anträge erhöhen.',
  'independence.error.second_person_needed': 'Ab diesem Betrag ist eine zweite, unabhängige Person nötig.',
  'independence.error.another_decides':
    'Sie sind daran selbst beteiligt: Ein anderer Manager, Administrator oder Inhaber, dessen Zugang nicht auch Ihrer ist, entscheidet.',
  'independence.error.waits':
    'Sie sind daran selbst beteiligt, und sonst entscheidet in der Firma niemand: Möglich ist es ab {at}, oder sofort durch einen zweiten Manager, dessen Zugang ihm allein gehört.',
  'independence.mail.block_lifted':
    '{names}: {block, select, match {bestätigter Sanktionstreffer} hold {rechtliche Sperre} stop {Sperrung oder Schließung} other {Ablehnung von Dokumenten}} eines Kunden aufgehoben',
  'independence.mail.block_lifted_of': `Aufgehoben von {names}: {block, select, match {ein bestätigter Sanktionstreffer} hold {eine rechtliche Sperre} stop {eine Sperrung oder Schließung} other {die Ablehnung oder der Widerruf von Dokumenten}} eines Kunden. ${INVOLVED_DAYS} Tage lang entscheidet diese Person nicht allein über Auszahlungen dieses Kunden. Wenn Sie das nicht erwartet haben, sehen Sie ins Protokoll:\n{publicUrl}/admin/audit`,
  'independence.error.note_required': 'Diese Entscheidung braucht eine Notiz.',
  'independence.mail.alone_by_time.subject': '{displayName} darf jetzt über Geld entscheiden',
  'independence.mail.alone_by_time.text': `In der Firma gibt es keine dritte Person, die für {displayName} bürgen könnte, und ${ALONE_HOURS} Stunden sind vergangen: Ab jetzt zählen die Stimmen dieser Person. Wenn Sie sie nicht kennen, sperren Sie den Zugang sofort.`,
  'independence.error.vote_uncounted': 'Ihre Stimme zählt noch nicht. {why}',
  'independence.why.account_unknown': 'Diesen Zugang gibt es nicht.',
  'independence.why.alone': 'Niemand sonst könnte sich hier anmelden.',
  'independence.why.alone_by_time': `Es gibt keine dritte Person, und ${ALONE_HOURS} Stunden sind vergangen.`,
  'independence.act.invited': 'hat diese Person eingeladen',
  'independence.act.password': 'hat das Passwort gesetzt',
  'independence.act.link': 'hat einen ihrer Links gelesen',
  'independence.act.second_factor': 'hat den zweiten Faktor entfernt',
  'independence.act.role': 'hat die Rolle erhöht',
  'independence.why.no_second_factor':
    'Ein Kollege {acts}. Zuerst ist ein zweiter Faktor einzuschalten; dann bürgt eine dritte Person, Administrator oder höher.',
  'independence.why.not_vouched_for':
    'Ein Kollege {acts}. Eine dritte Person, Administrator oder höher, deren Zugang ihr allein gehört, muss bürgen.',
  'independence.why.time_alone': `Ein Kollege {acts}. Es gibt keine dritte Person: Der Zugang gilt ${ALONE_HOURS} Stunden nach der letzten dieser Handlungen als eigener.`,
  'independence.error.too_new':
    'Der Wiederherstellungsschlüssel und Kopien der Installation sind für einen Zugang, der allein seinem Inhaber gehört und mindestens 7 Tage alt ist; bis dahin hat sie ein anderer Plattform-Administrator.',
} as const
