/** The thread that asks the knowledge graph for `sparql`. */
import { serve } from '../apart/serve.ts';
import { askGraph, type GraphInput } from './ask-graph.ts';

void serve<GraphInput>(askGraph);
