import { terminalsConsole as console } from './terminals-console.ts'

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
  'terminals.problem.one_test': 'A test is running. Wait for its end.',
  'terminals.problem.too_many_tests': 'There were ten tests within an hour. Try again later.',
  'terminals.problem.nothing_pending': 'Nothing waits to be confirmed, so there is nothing to test.',

  'terminals.field.password_again':
    'is needed again, since a password is never sent to a place that it was not entered for',
  'terminals.field.certificate_needed': 'is needed for this trust',
  'terminals.field.certificate_useless': 'must be empty with public trust',
  'terminals.field.certificate_pin': 'must be the 64 hexadecimal digits of SHA-256, or a PEM of an authority',
  'terminals.field.money_not_yet': 'is not possible yet: this server is read, and no money is moved there',
  'terminals.field.since_range': 'must be between the year 2000 and now',

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

  ...console,
}
