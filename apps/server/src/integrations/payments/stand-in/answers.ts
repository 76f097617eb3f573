import type { StandInResponse } from './provider.ts'

export function text(status: number, body: string): StandInResponse {
  return { status, content_type: 'text/plain', body }
}

export function html(body: string): StandInResponse {
  return { status: 200, content_type: 'text/html', body }
}

export function json(status: number, body: object): StandInResponse {
  return { status, content_type: 'application/json', body: JSON.stringify(body) }
}
