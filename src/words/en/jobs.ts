/** Results of runs of background jobs. */
export const jobs = {
  'jobs.mails_sent': '{sent} sent, {failed} not taken',
  'jobs.passwords_forgotten':
    '{forgotten, plural, one {passwords of # account} other {passwords of # accounts}} forgotten',
  'jobs.mails_removed': '{removed, plural, one {{removed} mail} other {{removed} mails}} removed',
  'jobs.sign_ins_expired':
    '{sessions, plural, one {{sessions} session} other {{sessions} sessions}}, {links, plural, one {{links} link} other {{links} links}} expired',
  'jobs.readers_counted':
    'The clients whom {lines, plural, one {{lines} reader} other {{lines} readers}} read in a day noted',
  'jobs.logs_anchored': '{sent, plural, one {{sent} log} other {{sent} logs}} anchored',
  'jobs.commissions_finished': '{done, plural, one {{done} run} other {{done} runs}} finished',
  'jobs.files_removed': '{removed, plural, one {{removed} file} other {{removed} files}} removed',
  'jobs.persons_erased':
    '{erased, plural, one {{erased} person} other {{erased} persons}} erased{kept, plural, =0 {} other {, {kept} kept because they still have money}}',
  'jobs.records_erased': '{erased, plural, one {{erased} kept record} other {{erased} kept records}} erased',
  'jobs.accounts_alone':
    '{settled, plural, one {{settled} account is its holder’s alone} other {{settled} accounts are their holder’s alone}}',
  'jobs.tickets_noted': '{noted, plural, one {{noted} ticket} other {{noted} tickets}} noted',
  'jobs.webhooks_sent': '{sent, plural, one {{sent} attempt} other {{sent} attempts}}',
  'jobs.webhook_rows_removed': '{removed, plural, one {{removed} row} other {{removed} rows}} removed',
  'jobs.alarms_told': '{told, plural, one {{told} alarm} other {{told} alarms}} sent, {over} ended',
  'jobs.clicks_forgotten':
    '{addresses, plural, one {{addresses} address} other {{addresses} addresses}}, {clicks, plural, one {{clicks} click} other {{clicks} clicks}} removed',
  'jobs.approvals_lapsed': '{lapsed, plural, one {{lapsed} approval} other {{lapsed} approvals}} lapsed',
  'jobs.analysis_made':
    '{files, plural, one {# file} other {# files}} for analysis, {rows, plural, one {# row} other {# rows}}',
  'jobs.import_steps': '{steps, plural, one {{steps} step} other {{steps} steps}} of imports',
  'jobs.import_forgotten': 'texts of {lines, plural, one {# line} other {# lines}} removed',
  'jobs.leads_fetched': '{done, plural, one {{done} call} other {{done} calls}} for leads',
  'jobs.lead_notices_removed':
    '{removed, plural, one {{removed} notification} other {{removed} notifications}} of leads removed',
  'jobs.clients_screened':
    '{screened, plural, one {{screened} client} other {{screened} clients}} screened, {found, plural, one {{found} match} other {{found} matches}}',
  'jobs.ledgers_checked':
    '{checked, plural, one {{checked} firm} other {{checked} firms}} checked, {faulty} with faults{failed, plural, =0 {} other {, {failed} could not be checked}}',
  'jobs.ledger_unchecked': 'the check failed; the log says why',
  'jobs.kept_removed':
    '{answers, plural, one {{answers} idempotent answer} other {{answers} idempotent answers}}, {runs, plural, one {{runs} job run} other {{runs} job runs}} removed',
} as const
