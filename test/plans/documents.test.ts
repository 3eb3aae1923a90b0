/** The plans that the two documents show, as they stand, from text to answer. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { retrieveHandlers } from '../../src/effects/retrieve/handlers.ts';
import { ingest } from '../../src/effects/retrieve/ingest.ts';
import { openKnowledge } from '../../src/effects/retrieve/knowledge.ts';
import { root, textOf } from '../support/repo.ts';
import { graph, old, passages, play, verdict } from './stage.ts';

const golden = (path: string): string => textOf(`test/golden/${path}`);

describe('the first document', () => {
  test('the plan about France, with the built-in graph, answers in words', async () => {
    const knowledge = openKnowledge(':memory:');
    await ingest(knowledge, [join(root, 'examples/geography/knowledge')]);
    const played = await play(golden('stackvm-1/france.json'), {
      tools: retrieveHandlers(knowledge),
      model: ({ prompt }) => {
        if (prompt.startsWith('Do we have')) return verdict(true);
        return prompt.startsWith('Given the following') ? 'Italy' : '2,749,031';
      },
    });
    expect(played.answer).toBe(
      'The population of Rome, the capital of Italy—the third largest neighboring country of ' +
        'France by area—is approximately 2,749,031.',
    );
    expect(played.variables.capital_city).toMatchObject({
      text: 'Rome',
      relations: expect.any(Array),
    });
    expect(played.asked[1]).toContain('Belgium: area in square kilometres 30528\nGermany: area');
    expect(played.asked[2]).toContain('Rome had 2,749,031 inhabitants on 31 December 2021');
    expect(played.asked[2]).not.toContain('"source"');
  });

  const world = {
    tools: [
      graph((query) => {
        if (query.startsWith('List all')) return ['Spain', 'Germany', 'Italy'];
        if (query.startsWith('Provide the area')) return { Spain: 505990, Germany: 357592 };
        return 'Rome';
      }),
      passages((query, count) => [{ text: query, source: 'rome.md', score: count }]),
    ],
  };

  test('the plan about France, with all areas known', async () => {
    const played = await play(golden('stackvm-1/france.json'), {
      ...world,
      model: ({ prompt }) => {
        if (prompt.startsWith('Do we have')) return '{"result": true, "explanation": "all three"}';
        return prompt.startsWith('Given the following') ? 'Italy' : '2,872,800';
      },
    });
    expect(played).toMatchObject({
      status: 'done',
      dialect: 'stackvm-1',
      answer:
        'The population of Rome, the capital of Italy—the third largest neighboring country of ' +
        'France by area—is approximately 2,872,800.',
      variables: {
        neighboring_countries: ['Spain', 'Germany', 'Italy'],
        country_areas: { Spain: 505990, Germany: 357592 },
        third_largest_country: 'Italy',
        capital_city: 'Rome',
        population_data: [{ text: 'Population data for Rome.', source: 'rome.md', score: 3 }],
        population_number: '2,872,800',
      },
      steps: ['0', '1', '2', '3', '3.true.4', '6', '7', '8', '9'],
      // Its condition has a null context and no reference: the model cannot know.
      checked: ['PV2151 3'],
    });
    expect(played.asked[1]).toContain('areas: {"Spain":505990,"Germany":357592}, list them');
    expect(played.asked[2]).toContain('information: Population data for Rome., what is');
    expect(played.asked[2]).toContain('population of Rome? Provide only the number.');
    expect(played.asked).toHaveLength(3);
  });

  test('the plan about France, with areas missing', async () => {
    const played = await play(golden('stackvm-1/france.json'), {
      ...world,
      model: ({ prompt }) =>
        prompt.startsWith('Do we have') ? 'false' : prompt.includes('missing') ? 'Italy' : '2.8 m',
    });
    expect(played.steps).toContain('3.false.5');
    expect(played.asked[1]).toContain(
      'missing for the countries: ["Spain","Germany","Italy"]. Based on general knowledge',
    );
    expect(played.answer).toContain('is approximately 2.8 m.');
  });

  test('one instruction of each type, as its section 3 numbers them', async () => {
    const plan = [
      old(0, 'assign', { value: 42, var_name: 'number' }),
      old(1, 'llm_generate', {
        prompt: 'What is the capital of France?',
        context: null,
        output_var: 'llm_output',
      }),
      old(2, 'retrieve_knowledge_graph', {
        query: 'Tallest mountain in the world',
        output_var: 'knowledge_data',
      }),
      old(3, 'retrieve_embedded_chunks', {
        embedding_query: 'Information about Mount Everest',
        top_k: 3,
        output_var: 'embedded_chunks',
      }),
      old(4, 'condition', {
        prompt: "Is {{number}} even? Respond with 'true' or 'false'.",
        context: null,
        true_branch: [old(5, 'assign', { value: 'The number is even.', var_name: 'result' })],
        false_branch: [old(6, 'assign', { value: 'The number is odd.', var_name: 'result' })],
      }),
      old(7, 'reasoning', { chain_of_thoughts: 'c', dependency_analysis: [{ step: 2, on: [1] }] }),
      old(8, 'assign', { value: { var: 'result' }, var_name: 'final_answer' }),
    ];
    const played = await play(plan, {
      tools: [graph((query) => query), passages((query, count) => [query, count])],
      model: ({ prompt }) => (prompt.startsWith('Is 42 even?') ? 'true' : 'Paris'),
    });
    expect(played).toMatchObject({
      status: 'done',
      answer: 'The number is even.',
      variables: {
        number: 42,
        llm_output: 'Paris',
        knowledge_data: 'Tallest mountain in the world',
        embedded_chunks: ['Information about Mount Everest', 3],
      },
      checked: [],
    });
  });

  test('a prompt that is a reference object', async () => {
    const plan = [
      old(0, 'llm_generate', { prompt: { var: 'user_question' }, output_var: 'final_answer' }),
    ];
    const played = await play(plan, { inputs: { user_question: 'Why?' }, model: 'Because.' });
    expect(played).toMatchObject({ answer: 'Because.', asked: ['Why?'] });
  });
});

describe('the second document', () => {
  test.each([
    [true, 'even', '5'],
    [false, 'odd', '6'],
  ])('the jump on even numbers, when the model says %s', async (result, answer, step) => {
    const played = await play(golden('stackvm-2/even-odd.json'), { model: verdict(result) });
    expect(played).toMatchObject({ status: 'done', answer, checked: [], dialect: 'stackvm-2' });
    expect(played.steps.at(-1)).toBe(step);
    expect(played.asked[0]).toContain('Is 42 even? Respond with a JSON object');
  });

  test('the assign of two variables: the second is the number, not its text', async () => {
    const played = await play(golden('stackvm-2/multi-assign.json'));
    expect(played.variables).toMatchObject({ number: 42, doubled_number: 42 });
    expect(played).toMatchObject({ status: 'done', answer: 42 });
  });

  test('the call that takes two keys out of JSON', async () => {
    const played = await play(golden('stackvm-2/destructuring.json'), {
      inputs: { sales_data: [{ month: 'May', sold: 12 }] },
      model: '```json\n{"summary": "Few } sold", "insights": ["May"], "more": 1}\n```',
    });
    expect(played.variables).toMatchObject({ summary: 'Few } sold', insights: ['May'] });
    expect(played.asked[0]).toContain('[{"month":"May","sold":12}]');
    expect(played.asked[0]).toContain('the keys "summary" and "insights"');
  });

  test('the reasoning with a comment inside its JSON', async () => {
    const played = await play(golden('stackvm-2/reasoning-with-comment.txt'));
    expect(played.checked).toEqual(['PV1015']);
    expect(played).toMatchObject({ steps: ['0', '1'], status: 'done' });
  });
});
