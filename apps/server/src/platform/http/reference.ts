import type { FastifyInstance } from 'fastify'

export async function mountReference(_fastify: FastifyInstance): Promise<void> {}
