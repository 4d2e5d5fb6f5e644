import { PASSWORD_LINK_HOURS } from '../rule-figures.ts'
import { terminalOrders } from './terminal-orders.ts'
import { terminalsConsole as console } from './terminals-console.ts'
import { terminalsRecords as records } from './terminals-records.ts'

/** Trading servers that Brokerbase speaks to itself. */
export const terminals = {
  'terminals.fault.not_resolved': 'The name of the trading server is not known. Look at its address.',
  'terminals.fault.blocked_address':
    'The address is private, and only public ones are called. Allow its network with BROKERBASE_ALLOWED_NETWORKS.',
  'terminals.fault.connect_timeout':
    'Nobody answered within ten seconds. Look whether the address of this machine is on the list of the trading server and of its firewall.',
  'terminals.fault.connection_failed':
    'The trading server refused the connection ({reason}). Look at address and port.',
  'terminals.fault.certificate_untrusted':
    'The certificate is not to be trusted ({reason}). Compare its fingerprint with your server’s and pin it.',
  'terminals.fault.certificate_changed':
    'The server has another certificate: {presented} in place of {expected}. Ask whoever runs it, then pin the new one.',
  'terminals.fault.wrong_proof':
    'The server does not know the password of this login, so it is not the one that it says it is. Nothing was sent to it.',
  'terminals.fault.refused_session': 'The trading server refused the session.',
  'terminals.fault.lost': 'The connection ended before the answer was whole ({reason}).',
  'terminals.fault.not_an_answer': 'What came back is no answer of a trading server. Look whether a proxy is between.',
  'terminals.fault.too_large': 'An answer was larger than 32 MiB, and was not read.',
  'terminals.fault.busy': 'The trading server is busy or is asked too often ({retcode}). It is asked less.',
  'terminals.fault.bad_request': 'The trading server does not understand a request ({retcode}). Tell us its build.',
  'terminals.fault.no_right': 'The login lacks a right for this ({retcode}). The test says which one.',
  'terminals.fault.wrong_account':
    'Login or password is wrong. The password is the API password of the manager account, not the one for trading.',
  'terminals.fault.wrong_account_type': 'The login is of another kind. A manager account is needed.',
  'terminals.fault.account_disabled': 'The login is disabled. Enable it in the administrator of the server.',
  'terminals.fault.version_too_old': 'The trading server wants a newer program. Update Brokerbase.',
  'terminals.fault.no_manager': 'The login has no manager configuration. Add one in the administrator of the server.',
  'terminals.fault.address_not_allowed':
    'The server does not let this address in. Add the address of this machine to the manager’s list.',
  'terminals.fault.password_must_change': 'The password of the login has to be changed first, at the server.',
  'terminals.fault.one_time_password': 'The login asks for one-time passwords, which a program cannot give.',
  'terminals.fault.connection_not_allowed': 'The manager may not use the Web API. Allow “Connect using Manager”.',
  'terminals.fault.api_disabled': 'The Web API is off. Switch it on at the access server.',
  'terminals.fault.clock':
    'The clock of the trading server is more than two minutes wrong. Nothing is read until it is right.',
  'terminals.fault.unexpected_code': 'The trading server answered with a code that was not expected ({retcode}).',

  'terminals.problem.simulator_refused': 'The simulator is for the demo’s firm only.',
  'terminals.problem.too_many': 'A firm has at most {most} connections.',
  'terminals.problem.exists': 'There is a connection to this server already.',
  'terminals.problem.changed_meanwhile': 'It was changed meanwhile, or nothing waits any more. Look again.',
  'terminals.problem.waits': 'Nobody else of this firm can confirm it, so you can: from {at} on.',
  'terminals.problem.another_confirms': 'Somebody else confirms this: an admin or owner who did not enter it.',
  'terminals.problem.owner_enters': 'Only an owner enters this, signed in to the console.',
  'terminals.problem.not_on_terminal': 'No trading server that Brokerbase reads has this account.',
  'terminals.problem.unconfirmed': 'Another admin or owner has to confirm this connection first.',
  'terminals.problem.not_connected':
    'The trading server is not read at the moment. Look at the page of the connection, and try again once it is connected.',
  'terminals.problem.no_answer': 'The trading server did not answer. Try again later.',
  'terminals.problem.all_linked': 'Each of these logins has an account here already, so nobody is left to bring in.',
  'terminals.problem.one_test': 'A test is running. Wait for its end.',
  'terminals.problem.too_many_tests': 'There were ten tests within an hour. Try again later.',
  'terminals.problem.nothing_pending': 'Nothing waits to be confirmed, so there is nothing to test.',

  'terminals.field.password_again':
    'is needed again, since a password is never sent to a place that it was not entered for',
  'terminals.field.certificate_needed': 'is needed for this trust',
  'terminals.field.certificate_useless': 'must be empty with public trust',
  'terminals.field.certificate_pin': 'must be the 64 hexadecimal digits of SHA-256, or a PEM of an authority',
  'terminals.field.since_range': 'must be between the year 2000 and now',

  'terminals.field.group_unknown': 'is no group that this connection reads',
  'terminals.field.too_many_logins': 'must be fewer groups: at most {most, number} logins come in at once',
  'terminals.test.certificate.fine': 'The certificate is the one that is trusted.',
  'terminals.test.certificate.look_closer': 'The certificate ends on {end, date, medium}.',
  'terminals.test.sign_in.fine': 'Signed in, build {build}.',
  'terminals.test.clock.fine': 'The clock of the server is {minutes, number} minutes ahead of UTC.',
  'terminals.test.clock.fails': 'The clock of the server is {seconds, number} seconds wrong.',
  'terminals.test.groups.fine': '{count, plural, one {# group is} other {# groups are}} read.',
  'terminals.test.groups.fails': 'No group of the server fits the masks.',
  'terminals.test.groups.look_closer': 'Not read, for their currency is unknown here: {names}.',
  'terminals.test.right.fine': 'The login may do this.',
  'terminals.test.right.fails': 'The login lacks: {rights}.',
  'terminals.test.needless.look_closer': 'The login has rights that it does not need, and should not have: {rights}.',
  'terminals.test.needless.fine': 'The login has no right that it does not need.',
  'terminals.right.connect': 'connect using Manager',
  'terminals.right.accounts': 'access to accounts',
  'terminals.right.trades': 'access to orders and positions',
  'terminals.right.money': 'accountant',
  'terminals.right.change': 'modify accounts',
  'terminals.right.personal': 'personal details',
  'terminals.right.technical': 'technical accounts',
  'terminals.right.administrator': 'connect using Administrator',
  'terminals.right.delete': 'delete accounts',
  'terminals.right.edit_trades': 'edit trades',

  'terminals.mail.subject.entered': 'A trading server waits for a confirmation: {name}',
  'terminals.mail.entered':
    '{by} entered settings of the trading server “{name}”: {fields}. They are in force only once another admin or owner has confirmed them. If nobody expected this, ask before anybody confirms.',
  'terminals.mail.subject.confirmed': 'A trading server was confirmed: {name}',
  'terminals.mail.confirmed':
    '{by} confirmed the settings of the trading server “{name}”: {fields}. Brokerbase believes what this server reports from now on.',
  'terminals.mail.subject.outage': 'The trading server {name} does not answer',
  'terminals.mail.outage':
    'Brokerbase has read nothing of “{name}” since {since, date, medium} {since, time, short}. {reason} What is shown of its accounts is as it was then.',

  'audit.entity.terminal_login': 'Login',
  'audit.entity.terminal_deal': 'Deal',
  'audit.entity.terminal_day': 'Day of a trading server',
  'audit.entity.terminal_finding': 'Finding of a trading server',
  'audit.entity.terminal_connection': 'Trading server',
  'audit.field.driver': 'Kind of server',
  'audit.field.trust': 'Trust',
  'audit.field.certificate': 'Certificate',
  'audit.field.login': 'Login',
  'audit.field.groups': 'Groups',
  'audit.field.money': 'Money',
  'audit.field.readEvery': 'Reads every',
  'audit.field.requestsPerSecond': 'Requests a second',
  'audit.field.paused': 'Paused',
  'audit.field.enteredBy': 'Entered by',
  'audit.field.enteredAt': 'Entered',
  'audit.field.entry': 'Number of the entry',
  'audit.field.pending': 'Waits for a second person',

  'terminals.problem.in_use': 'Something that was asked of this server is not at its end. Wait, or decide it first.',
  'terminals.problem.not_read_since':
    'The trading server was not read whole in the time since the copy was put back. Wait three minutes, then try again.',
  'terminals.problem.references_open':
    'The trading server has money under references of ours that are no transfer here. Close these findings first.',
  'terminals.problem.terminal_decides':
    'The trading server itself books or refuses this transfer. Only one that it left unclear is decided by a person.',
  'terminals.problem.deal_differs': 'The trading server has no such deal, or its login or amount is another one.',
  'terminals.problem.deal_used': 'This deal is another transfer already.',
  'terminals.problem.admin_explains': 'From the firm’s threshold on, an admin or owner calls such money explained.',
  'terminals.problem.linker_explains':
    'You linked this account in the last 30 days: somebody else calls this money explained.',
  'terminals.problem.acknowledge_it': 'This is decided at the transfer: say there whether it was booked or refused.',
  'terminals.field.transfer_unknown': 'is no transfer of this firm',
  'terminals.problem.login_unknown': 'The trading server does not list this account, or not as one of real money.',
  'terminals.field.deal_number': 'needs the number of the deal at the trading server',
  'terminals.answer.other': 'The trading server refused it ({answer}).',
  'terminals.answer.3': 'The trading server calls the request wrong (3).',
  'terminals.answer.8': 'The login of Brokerbase lacks the right for this at the trading server (8).',
  'terminals.answer.13': 'The trading server has no such account (13).',
  'terminals.answer.3002': 'The trading server has no free number for an account (3002).',
  'terminals.answer.3003': 'This number is of another server (3003).',
  'terminals.answer.3004': 'The account exists at the trading server already (3004).',
  'terminals.answer.3005': 'The trading server does not open accounts (3005).',
  'terminals.answer.3006': 'The trading server calls the password too simple (3006).',
  'terminals.answer.3007': 'The trading server takes no more accounts (3007).',
  'terminals.answer.3008': 'The account has open orders or positions (3008).',
  'terminals.answer.3009': 'The group lies on another server (3009).',
  'terminals.answer.3010': 'The group has another currency (3010).',
  'terminals.answer.3019': 'The trading server takes no more accounts by this way (3019).',
  'terminals.answer.4005': 'The amount is larger than the trading server takes (4005).',
  'terminals.answer.10019': 'There is not enough money on the account (10019).',
  'terminals.answer.not_enough_free': 'Less than this is free on the account: positions and credit hold the rest.',
  'terminals.answer.currency_differs': 'The account has another currency at the trading server.',
  'terminals.answer.too_many_places':
    'The amount has more places than the account’s currency has at the trading server.',
  'terminals.answer.reference_used': 'The trading server has another deal under this reference.',
  'terminals.answer.no_login': 'The trading server does not list the account.',
  'terminals.answer.not_applied': 'The trading server took it and did not change anything.',
  'terminals.problem.terminal_account':
    'The trading server itself says what this account has: its currency, leverage and balance are not changed here.',
  'terminals.problem.note_required':
    'The trading server names another person for this login. A note says why it is this client’s.',
  'terminals.problem.not_ready': 'This trading server is not confirmed yet, or it is paused.',
  'terminals.problem.change_waits':
    'A change of the same kind is on its way to the trading server. Wait for it, or take it back.',
  'terminals.problem.manager_changes': 'Only a manager changes this at a trading server.',
  'terminals.field.connection_unknown': 'is no trading server of this firm',
  'terminals.field.group_currency': 'the group has another currency',
  'terminals.field.change_one_of': 'exactly one of leverage, group, trading, signIn and password is needed',
  'terminals.answer.no_group': 'The trading server has no such group, or it is not read.',
  'terminals.answer.client_not_allowed':
    'It was not sent: the client is not active any more, or their check is not finished.',
  'terminals.answer.client_gone': 'The account was opened at the trading server, but the client is deleted here.',
  'terminals.answer.number_taken':
    'The account was opened at the trading server, but its number is an account of another client here.',
  'terminals.mail.subject.opened': 'Your trading account at {firmName}',
  'terminals.mail.opened': `Hello {firstName},\n\nyour trading account {login} is open. See its passwords here within ${PASSWORD_LINK_HOURS} hours; they are shown once:\n\n{url}\n\nNobody at {firmName} knows them.`,
  'terminals.mail.subject.password': 'A new password for your trading account at {firmName}',
  'terminals.mail.password': `Hello {firstName},\n\nyour trading account {login} has a new password. See it here within ${PASSWORD_LINK_HOURS} hours; it is shown once:\n\n{url}\n\nNobody at {firmName} knows it.`,
  'terminals.mail.subject.held': 'No money moves at {names} until an owner says so',
  'terminals.mail.held':
    'The database of Brokerbase is a copy that was put back. Money that it does not know of may have been booked at {names}. Look at the findings of these servers, close what is explained, then switch money on again.',
  'audit.entity.terminal_instruction': 'Instruction',
  'audit.field.transferId': 'Transfer',
  'audit.field.linkUntil': 'Link valid until',
  'audit.field.sentAt': 'Sent',
  'audit.field.nextAt': 'Next look',
  'audit.field.looks': 'Looks',
  'audit.field.tries': 'Tries and looks',
  'audit.field.answer': 'Answer of the server',
  'audit.field.moneyHeldAt': 'Money held since',

  ...console,
  ...records,
  ...terminalOrders,
}
