import { z } from 'zod'
import { isNetwork } from '../../lib/addresses/network-list.ts'
import { choice, count, list } from '../../lib/configuration/variables.ts'

const PORT_MAX = 65_535
const SOCKETS_MOST = 1_000_000

export const HTTP_VARIABLES = {
  PORT: count('a port from 0 to 65535', 0, PORT_MAX)
    .prefault('3000')
    .describe('The port on which the server listens.'),
  METRICS_PORT: count('a port from 0 to 65535', 0, PORT_MAX)
    .prefault('0')
    .describe('Prometheus metrics at /metrics, on the loopback interface only. 0 is off.'),
  API_DOCS: choice('on', 'off').describe(
    'Serves the reference of the HTTP interface, with every call of the staff, at /api/docs. Off by default in production.',
  ),
  OFFICE_NETWORKS: list(
    'addresses or networks like 203.0.113.0/24, with commas between',
    z.string().refine(isNetwork),
  ).describe(
    'From these networks alone the back office can be reached, its pages and its calls. Behind a proxy TRUSTED_PROXIES must be right. Default: from everywhere.',
  ),
  TRUSTED_PROXIES: count(
    'the exact number of proxies in front of this server, 0 to 10',
    0,
    10,
  ).describe(
    'How many entries of X-Forwarded-For are believed, counted from the right. Required in production, where 0 says that there is none; 0 elsewhere.',
  ),
  SOCKETS_MAX: count('a positive number', 1, SOCKETS_MOST)
    .prefault('50000')
    .describe('Open sockets in this process.'),
  SOCKETS_PER_ADDRESS: count('a positive number', 1, SOCKETS_MOST)
    .prefault('200')
    .describe(
      'Open sockets from one network address (a /64 in IPv6); in the demo installation loopback is not limited.',
    ),
}
