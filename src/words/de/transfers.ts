/** Transfers: the sentences of mails. */
export const transfers = {
  'transfers.mail.contradicted.subject':
    'Die Plattform meldet als {state, select, booked {gebucht} other {abgelehnt}}, was ein Kollege als {before, select, booked {gebucht} other {abgelehnt}} gemeldet hat',
  'transfers.mail.contradicted.text':
    'Umbuchung {reference} über {amount} {fromCurrency} wurde als {before, select, booked {gebucht} other {abgelehnt}} gemeldet. Jetzt meldet die Brücke der Plattform selbst, dass sie {state, select, booked {gebucht} other {abgelehnt}} wurde; unsere Bücher und die Plattform sind sich über dieses Geld also nicht einig. Vergleichen Sie beide, und fragen Sie, wer sie bestätigt hat:\n\n{publicUrl}/admin/transfers',
} as const
