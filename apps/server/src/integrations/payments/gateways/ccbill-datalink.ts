import { GatewayUnavailable } from '../../../lib/payments/gateway-unavailable.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { fetchText } from '../provider-calls.ts'

/** The public origin of DataLink, the service that answers questions about sales of CCBill. */
const DATALINK = 'https://datalink.ccbill.com'
/** The sale has no record, or its number is wrong. */
const UNKNOWN: ReadonlySet<string> = new Set(['-2', '-3'])
/** Three refused logins lock the account for an hour, so after one of these answers nothing is asked for that time. */
const REFUSED_LOGIN: ReadonlySet<string> = new Set(['-1', '-12'])
/** The login, the account, the question or the address of this server is refused, until a person changes something. */
const REFUSED: ReadonlySet<string> = new Set(['-1', '-4', '-5', '-6', '-8', '-9', '-10', '-12'])
const REST_MS = 60 * 60_000

/** The fields of a sale, by their names in the answer of DataLink. */
export type DataLinkSale = ReadonlyMap<string, string>

/** Asks about a sale by its `subscriptionId`. Undefined: DataLink knows of no such sale. Throws GatewayUnavailable for every answer that is not about a sale. */
export type FindSale = (id: string, signal: AbortSignal) => Promise<DataLinkSale | undefined>

/** Questions to DataLink of CCBill. Undefined without a login. */
export function createDataLink(access: ProviderAccess<'ccbill'>): FindSale | undefined {
  const { account, subaccount, datalink_username: username, datalink_password: password } = access
  if (username === undefined || password === undefined) return undefined
  const { datalink_url = DATALINK } = access
  let restsUntilMs = 0
  return async (id, signal) => {
    if (Date.now() < restsUntilMs)
      throw unavailable('refused its login less than an hour ago', true)
    const query = new URLSearchParams({
      clientAccnum: account,
      clientSubacc: subaccount,
      usingSubacc: subaccount,
      username,
      password,
      action: 'viewSubscriptionStatus',
      subscriptionId: id,
      returnXML: '1',
    })
    const url = `${datalink_url}/utils/subscriptionManagement.cgi?${query.toString()}`
    const sale = readAnswer(await fetchText(url, { signal }))
    const code = sale.get('results')
    if (code !== undefined && UNKNOWN.has(code)) return undefined
    if (code !== undefined && REFUSED_LOGIN.has(code)) restsUntilMs = Date.now() + REST_MS
    if (code !== undefined && code !== '1') throw unavailable(`answered ${code}`, REFUSED.has(code))
    if (!sale.has('subscriptionStatus'))
      throw unavailable('answered nothing that it documents', false)
    return sale
  }
}

const unavailable = (why: string, needsStaff: boolean) =>
  new GatewayUnavailable(`DataLink ${why}`, { needs_staff: needsStaff })

/** A code alone, as XML or as a table of one column, or an XML element for each field. */
function readAnswer(text: string): DataLinkSale {
  const [, code] = /^\s*"results"\s+"(-?\d+)"\s*$/.exec(text) ?? []
  if (code !== undefined) return new Map([['results', code]])
  const elements = text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)
  return new Map([...elements].map(([, name, value]) => [name!, value!.trim()]))
}
