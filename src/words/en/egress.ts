/** Calls to other systems, and why they got no answer. */
export const egress = {
  'egress.error.no_address': 'The host name has no address.',
  'egress.error.not_resolved': 'The host name was not resolved in time.',
  'egress.error.not_url': 'This is not a URL.',
  'egress.error.not_https': 'The URL must be https.',
  'egress.error.credentials': 'The URL must not hold a user name or password.',
  'egress.error.not_public': 'The host is not on the public internet.',
  'egress.error.tls_failed': 'No secure connection could be made ({reason}).',
  'egress.error.connection_failed': 'The connection failed ({reason}).',
  'egress.error.connect_timeout': 'The connection was not made in time.',
  'egress.error.timeout': 'The answer did not come in time.',
  'egress.error.no_end': 'The server answered, and did not come to an end.',
  'egress.error.upgrade': 'The server wanted to change the protocol.',
  'egress.error.cut_off': 'The connection ended in the middle of the answer.',
  'egress.error.host_timeout': 'The connection to {host}:{port} was not made in time.',
  'egress.error.host_unreachable': '{host}:{port} could not be reached.',
  'egress.error.host_failed': '{host}:{port} could not be reached ({reason}).',
} as const
